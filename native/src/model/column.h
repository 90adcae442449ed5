// A growing column in fixed pieces: appending never copies what is there, and finished pieces may be freed or read early.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tidemark {

template <typename T>
class Column {
 public:
  static constexpr size_t kPieceBits = 16;
  static constexpr size_t kPiece = size_t{1} << kPieceBits;

  void push_back(T value) {
    const size_t at = size_ & (kPiece - 1);
    if (at == 0) {
      pieces_.emplace_back(new T[kPiece]);
      tail_ = pieces_.back().get();
    }
    tail_[at] = value;
    ++size_;
  }
  T operator[](size_t i) const { return pieces_[i >> kPieceBits][i & (kPiece - 1)]; }
  T& operator[](size_t i) { return pieces_[i >> kPieceBits][i & (kPiece - 1)]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // The piece that holds item i; items of one piece are contiguous.
  const T* piece(size_t i) const { return pieces_[i >> kPieceBits].get(); }
  T* piece(size_t i) { return pieces_[i >> kPieceBits].get(); }
  // Gives back the memory of the piece that holds item i: its items must not be read again.
  void free_piece(size_t i) { pieces_[i >> kPieceBits].reset(); }
  // Gives back everything; the column is empty then.
  void clear() {
    pieces_.clear();
    tail_ = nullptr;
    size_ = 0;
  }

 private:
  std::vector<std::unique_ptr<T[]>> pieces_;
  T* tail_ = nullptr;  // the piece that grows
  size_t size_ = 0;
};

}  // namespace tidemark
