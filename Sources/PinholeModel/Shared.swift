/// An immutable value on the heap; its users share a reference instead of copying its bytes.
package final class Shared<Value: Sendable>: Sendable {
    /// The shared value.
    package let value: Value

    /// Shares `value`.
    package init(_ value: Value) { self.value = value }
}
