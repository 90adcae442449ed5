#include "store/piece_cache.h"

namespace tidemark {
namespace {

constexpr size_t kMostBytes = size_t{96} << 20;
// About as many as cost together what the index costs: 40 ms of processor time for a million rows.
constexpr uint32_t kSearchesBeforeIndex = 64;

}  // namespace

std::shared_ptr<PieceCache::Column> PieceCache::column(const char* relation, int32_t device, const char* name, int& result) {
  const auto key = std::make_tuple(std::string(relation), device, std::string(name));
  const auto known = columns_.find(key);
  result = SQLITE_OK;
  if (known != columns_.end()) return known->second;
  auto found = std::make_shared<Column>();
  result = PieceReader(db_).locate(relation, device, name, found->rows);
  if (result != SQLITE_OK) return nullptr;
  found->pieces.resize(found->rows.size());
  return columns_[key] = std::move(found);
}

std::shared_ptr<const LoadedPiece> PieceCache::piece(Column& column, size_t number, int& result) {
  result = SQLITE_OK;
  if (number >= column.pieces.size()) return nullptr;
  Kept& kept = column.pieces[number];
  kept.used = ++uses_;
  if (kept.piece) return kept.piece;
  auto loaded = std::make_shared<LoadedPiece>();
  result = PieceReader(db_).read(column.rows[number], loaded->bytes, loaded->values);
  if (result != SQLITE_OK) return nullptr;
  bytes_ += loaded->bytes.size;
  kept.piece = loaded;
  while (bytes_ > kMostBytes) evict_oldest();
  return loaded;
}

void PieceCache::evict_oldest() {
  Kept* oldest = nullptr;
  for (const auto& [key, column] : columns_) {
    for (Kept& kept : column->pieces) {
      if (kept.piece && (!oldest || kept.used < oldest->used)) oldest = &kept;
    }
  }
  if (!oldest) {  // what is counted belongs to columns that clear() dropped
    bytes_ = 0;
    return;
  }
  bytes_ -= oldest->piece->bytes.size;
  oldest->piece = nullptr;
}

int PieceCache::note_search(Column& column) {
  if (column.indexed || column.pieces.size() < 2 || ++column.searches < kSearchesBeforeIndex) return SQLITE_OK;
  return make_index(column);
}

int PieceCache::make_index(Column& column) {
  std::vector<int64_t> values;
  values.reserve(column.pieces.size() * kPackedPiece);
  int result = SQLITE_OK;
  for (size_t number = 0; number < column.pieces.size(); ++number) {
    const auto loaded = piece(column, number, result);
    if (!loaded) return result;
    // Rows are counted through: only the last piece may be short.
    if (number > 0 && values.size() % kPackedPiece != 0) return SQLITE_CORRUPT;
    values.resize(values.size() + loaded->values.count);
    decode_piece(loaded->values, 0, loaded->values.count, values.data() + values.size() - loaded->values.count);
  }
  column.index = ValueIndex::make(values);
  column.indexed = true;
  return SQLITE_OK;
}

}  // namespace tidemark
