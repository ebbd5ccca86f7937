/// An immutable value on the heap; its users share a reference instead of copying its bytes.
public final class Shared<Value: Sendable>: Sendable {
    /// The shared value.
    public let value: Value

    /// Shares `value`.
    public init(_ value: Value) { self.value = value }
}
