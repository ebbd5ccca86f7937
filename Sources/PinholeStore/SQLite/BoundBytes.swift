/// Copies of the texts and blobs that are bound to a statement.
///
/// SQLite can copy them itself (`SQLITE_TRANSIENT`), but allocates each. That takes 10 % more instructions to write an
/// exchange (32,800 instead of 29,800). Here a piece of memory is used again for each row. A copy keeps its address
/// until ``removeAll()``.
struct BoundBytes: ~Copyable {
    private var piece = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    /// Earlier pieces, in which there was no room for the next copy.
    private var full: [UnsafeMutableRawBufferPointer] = []

    private static let leastPiece = 4 << 10
    /// A larger piece is freed after its row.
    private static let greatestPiece = 64 << 10

    deinit {
        piece.deallocate()
        for piece in full { piece.deallocate() }
    }

    /// Copies bytes.
    ///
    /// - Returns: The address of the copy, also of an empty one.
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        if bytes.count > piece.count - used || piece.isEmpty { makeRoom(for: bytes.count) }
        let copy = UnsafeMutableRawBufferPointer(rebasing: piece[used..<used + bytes.count])
        copy.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeRawPointer(copy.baseAddress)
    }

    private mutating func makeRoom(for count: Int) {
        if !piece.isEmpty { full.append(piece) }
        piece = .allocate(byteCount: max(count, 2 * piece.count, Self.leastPiece), alignment: 16)
        used = 0
    }

    /// Removes the copies, to which SQLite must not refer any longer.
    mutating func removeAll() {
        used = 0
        guard !full.isEmpty || piece.count > Self.greatestPiece else { return }
        for piece in full { piece.deallocate() }
        full.removeAll()
        guard piece.count > Self.greatestPiece else { return }
        piece.deallocate()
        piece = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}
