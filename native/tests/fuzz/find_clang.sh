# Prints clang++ when it can link a libFuzzer entry, else nothing.
command -v clang++ > /dev/null || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > "$folder/entry.cc"
clang++ -fsanitize=fuzzer,address,undefined "$folder/entry.cc" -o "$folder/entry" 2> /dev/null && command -v clang++
exit 0
