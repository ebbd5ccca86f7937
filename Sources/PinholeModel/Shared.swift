/// A value that does not change any more, on the heap: whoever shares it holds a reference and not its bytes.
package final class Shared<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value

    /// Shares `value`.
    package init(_ value: Value) { self.value = value }
}
