#include "store/stored_column.h"

namespace tidemark {

StoredColumn::Loaded& StoredColumn::load(size_t piece) {
  for (Loaded& kept : kept_) {
    if (kept.number == piece) return kept;
  }
  Loaded& slot = kept_[next_slot_];
  next_slot_ = (next_slot_ + 1) % kept_.size();
  slot.number = piece;
  slot.bytes.clear();
  slot.values = PackedPiece{};
  Statement select(db_, "SELECT data FROM column_piece WHERE relation = ? AND device = ? AND name = ? AND piece = ?");
  select.bind(1, relation_);
  select.bind(2, int64_t{device_});
  select.bind(3, name_);
  select.bind(4, static_cast<int64_t>(piece));
  const int result = select.step();
  if (result == SQLITE_ROW) {
    slot.bytes = std::string(select.blob(0));
    if (!parse_piece(slot.bytes.data(), slot.bytes.size(), slot.values)) {
      slot.values = PackedPiece{};
      damaged_ = true;
    }
  } else if (result != SQLITE_DONE) {
    damaged_ = true;
  }
  return slot;
}

}  // namespace tidemark
