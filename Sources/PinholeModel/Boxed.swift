/// A noncopyable value on the heap; passing it on moves a pointer and not the bytes of the value.
///
/// Values that an event loop passes around many times for each exchange are boxed. There is still one owner at a time.
@safe @frozen
public struct Boxed<Value: ~Copyable>: ~Copyable {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    /// Moves `value` to the heap.
    @inlinable
    public init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    @inlinable
    deinit {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }

    /// The value, read and changed in place.
    @inlinable
    public var value: Value {
        @inline(__always) _read { yield unsafe pointer.pointee }
        @inline(__always) nonmutating _modify { yield unsafe &pointer.pointee }
    }
}
