// An array of a fixed length whose memory is not touched before it is filled: of plain data only.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace tidemark {

template <typename T>
class Array {
  static_assert(std::is_trivially_copyable<T>::value && std::is_trivially_destructible<T>::value, "plain data only");

 public:
  Array() = default;
  // The items are not set: whoever makes it fills all of them.
  explicit Array(size_t size) : data_(size ? static_cast<T*>(std::malloc(size * sizeof(T))) : nullptr), size_(size) {
    if (size && !data_) throw std::bad_alloc();
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }
  T* begin() { return data_.get(); }
  T* end() { return data_.get() + size_; }
  const T* begin() const { return data_.get(); }
  const T* end() const { return data_.get() + size_; }
  // Gives the memory back.
  void reset() {
    data_.reset();
    size_ = 0;
  }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

}  // namespace tidemark
