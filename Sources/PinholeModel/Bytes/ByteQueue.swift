/// Bytes in transit between two engines: appended at the back, consumed at the front.
///
/// Engines read from a queue and write to another, so a body byte is copied once between decrypting and encrypting. An
/// empty queue that was released holds no memory, which keeps idle connections small.
///
/// Methods that run for each piece of a message can be inlined by other modules: the call would cost more than the
/// work.
public struct ByteQueue: Sendable {
    @usableFromInline var storage: [UInt8] = []
    @usableFromInline var head = 0

    /// Creates an empty queue that holds no memory.
    @inlinable
    public init() {}

    /// Creates a queue of `bytes`.
    public init(_ bytes: some Sequence<UInt8>) {
        storage = Array(bytes)
    }

    /// Appends `bytes` at the back.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        makeRoom(bytes.count)
        storage.append(contentsOf: bytes)
    }

    /// Appends the bytes of `slice` at the back.
    @inlinable
    public mutating func append(_ slice: ArraySlice<UInt8>) {
        makeRoom(slice.count)
        storage.append(contentsOf: slice)
    }

    /// Appends one byte at the back.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        makeRoom(1)
        storage.append(byte)
    }

    /// Appends the UTF-8 bytes of `text` at the back.
    @inlinable
    public mutating func append(_ text: String) {
        makeRoom(text.utf8.count)
        storage.append(contentsOf: text.utf8)
    }

    /// Lets `fill` write up to `capacity` bytes at the back.
    ///
    /// - Parameters:
    ///   - capacity: The room that is made, in bytes.
    ///   - fill: Writes into the room; the bytes that it initialises become part of the queue.
    /// - Throws: The error of `fill`; the bytes written before it stay.
    @inlinable
    public mutating func append<Failure: Error>(
        capacity: Int,
        _ fill: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        makeRoom(capacity)
        try storage.append(addingCapacity: capacity, initializingWith: fill)
    }

    /// Moves the first `count` bytes to the back of `other`.
    @inlinable
    public mutating func move(_ count: Int, to other: inout ByteQueue) {
        other.append(storage[head..<head + count])
        consume(count)
    }

    /// Drops the first `count` bytes.
    @inlinable
    public mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "only bytes that are there can be consumed")
        head += count
        guard head == storage.count else { return }
        head = 0
        storage.removeAll(keepingCapacity: true)
    }

    /// Drops all bytes; the memory is kept for reuse.
    @inlinable
    public mutating func removeAll() {
        consume(count)
    }

    /// Frees the memory if the queue is empty.
    @inlinable
    public mutating func releaseIfEmpty() {
        guard isEmpty, storage.capacity > 0 else { return }
        storage = []
    }

    /// The bytes, front first.
    @inlinable
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self) get { storage.span.extracting(droppingFirst: head) }
    }

    /// The number of bytes.
    @inlinable
    public var count: Int { storage.count - head }

    /// Whether there is nothing to consume.
    @inlinable
    public var isEmpty: Bool { head == storage.count }

    /// The memory that is held, in bytes.
    @inlinable
    public var capacity: Int { storage.capacity }

    /// The memory of the waiting bytes, in bytes; 0 for an empty queue.
    @inlinable
    public var held: Int { isEmpty ? 0 : storage.capacity }

    /// Returns a copy of the first `count` bytes, or of all.
    public func prefix(_ count: Int? = nil) -> [UInt8] {
        // `Array(slice)` would share the queue's memory if the slice is all of it. A head of 100 bytes would then keep
        // 160 KiB alive, and the queue would have to allocate again.
        let end = head + min(count ?? self.count, self.count)
        return unsafe storage.withUnsafeBufferPointer {
            unsafe Array(UnsafeBufferPointer(rebasing: $0[head..<end]))
        }
    }

    /// Returns a copy of the last `count` bytes.
    public func suffix(_ count: Int) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: storage[max(head, storage.count - count)...])
        return copy
    }

    /// Returns the first `count` bytes, or all, without a copy.
    ///
    /// Release the slice before the queue changes, or the change copies everything.
    @inlinable
    public func slice(_ count: Int? = nil) -> ArraySlice<UInt8> {
        storage[head..<head + min(count ?? self.count, self.count)]
    }

    /// The byte at `offset` from the front.
    @inlinable
    public subscript(offset: Int) -> UInt8 { storage[head + offset] }

    /// Moves the remaining bytes to the start before the array would have to grow.
    ///
    /// So a queue that is never quite empty does not grow with the bytes that passed through it. The bytes are moved
    /// only if at least half of the array is consumed: the move then costs no more than the consumption since the last
    /// move, and appending stays linear.
    @inlinable
    mutating func makeRoom(_ count: Int) {
        guard head > 0, storage.count + count > storage.capacity, head >= storage.count - head else { return }
        storage.removeFirst(head)
        head = 0
    }
}
