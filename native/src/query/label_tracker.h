// Finds where a band stays on the same rows long enough to carry a label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidemark {

inline constexpr size_t kLabelRows = 14;     // least height of a labeled band
inline constexpr size_t kLabelColumns = 48;  // least width
inline constexpr size_t kMostLabels = 64;

// One allocation in one column: the rows [row0, row1) it covers, and the bytes below it.
struct Band {
  uint32_t row0 = 0;
  uint32_t row1 = 0;
  uint32_t member = 0;      // of VisibleAllocations
  uint32_t place = 0;       // in the LiveStack
  uint32_t allocation = 0;  // index
  uint64_t bottom = 0;
  int64_t birth = 0;   // of AgeClock; only when colored by age and known
  uint8_t shade = 0;   // slot and parity bits of a cell
  bool birth_known = false;
  bool left_out = false;  // by the filter
};

// A stretch of columns [column0, column1) in which a band keeps its rows.
struct Label {
  uint32_t column0 = 0;
  uint32_t column1 = 0;
  uint32_t row0 = 0;
  uint32_t row1 = 0;
  uint32_t allocation = 0;
  uint64_t bottom = 0;  // bytes below the band at column0

  uint64_t cells() const { return uint64_t{column1 - column0} * (row1 - row0); }
};

class LabelTracker {
 public:
  // A new column whose bands below `kept_rows` are those of the column before.
  void begin_column(uint32_t column, uint32_t kept_rows);
  // The other bands of the column, lowest first.
  void offer(const Band& band);
  void end_column();
  // Ends every stretch before `column`; answers the largest by cells, at most kMostLabels.
  std::vector<Label> finish(uint32_t column);

 private:
  void close(Label stretch);

  uint32_t column_ = 0;
  std::vector<Label> open_;     // stretches that reach the current column, lowest first
  std::vector<Label> pending_;  // stretches of the column before above kept_rows
  size_t next_pending_ = 0;
  std::vector<Label> closed_;
};

}  // namespace tidemark
