/// The key of a dictionary of byte strings, which can be looked up by a part of a larger text without a copy of it.
struct ByteKey: Hashable {
    private let bytes: ArraySlice<UInt8>

    /// Takes bytes for a look-up.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Takes a copy of bytes, so that the text around them is not kept in memory.
    init(copying bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes)[...] }

    var array: [UInt8] { Array(bytes) }

    static func == (one: ByteKey, other: ByteKey) -> Bool { one.bytes.elementsEqual(other.bytes) }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
