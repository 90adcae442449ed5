#include "store/piece_reader.h"

#include "store/sql.h"

namespace tidemark {
namespace {

constexpr size_t kLargestPiece = kPackedHeader + kPackedPiece * sizeof(int64_t);

}  // namespace

int PieceReader::locate(const char* relation, int32_t device, const char* name, std::vector<int64_t>& rows) const {
  rows.clear();
  Statement found(db_, "SELECT piece, rowid FROM main.column_piece WHERE relation = ? AND device = ? AND name = ? ORDER BY piece");
  found.bind(1, relation);
  found.bind(2, int64_t{device});
  found.bind(3, name);
  int result;
  while ((result = found.step()) == SQLITE_ROW) {
    if (found.integer(0) != static_cast<int64_t>(rows.size())) return SQLITE_CORRUPT;
    rows.push_back(found.integer(1));
  }
  return result == SQLITE_DONE ? SQLITE_OK : result;
}

int PieceReader::read(int64_t row, PieceBytes& bytes, PackedPiece& values) {
  const int opened = blob_ ? sqlite3_blob_reopen(blob_, row)
                           : sqlite3_blob_open(db_, "main", "column_piece", "data", row, 0, &blob_);
  if (opened != SQLITE_OK) return opened;
  const auto size = static_cast<size_t>(sqlite3_blob_bytes(blob_));
  if (size > kLargestPiece) return SQLITE_CORRUPT;  // checked first: memory never follows a length that is merely claimed
  if (bytes.size != size) bytes = PieceBytes(size);
  const int result = sqlite3_blob_read(blob_, bytes.data.get(), static_cast<int>(size), 0);
  if (result != SQLITE_OK) return result;
  return parse_piece(bytes.data.get(), size, values) ? SQLITE_OK : SQLITE_CORRUPT;
}

}  // namespace tidemark
