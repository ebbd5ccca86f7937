/// A value that cannot be copied, on the heap: handing it on moves a pointer and not its bytes.
///
/// What a loop passes around many times for each exchange is boxed; the owner is still one at a time.
@safe @frozen
package struct Boxed<Value: ~Copyable>: ~Copyable {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    /// Moves `value` to the heap.
    @inlinable
    package init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    @inlinable
    deinit {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }

    /// The value, in its place.
    @inlinable
    package var value: Value {
        @inline(__always) _read { yield unsafe pointer.pointee }
        @inline(__always) nonmutating _modify { yield unsafe &pointer.pointee }
    }
}
