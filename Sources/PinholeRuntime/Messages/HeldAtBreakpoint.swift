package import PinholeModel

/// A message that is held at a breakpoint, in readable form.
package struct HeldAtBreakpoint: Sendable, Equatable {
    /// The number of the held message.
    package internal(set) var id: Int64 = 0
    /// The number of the exchange in the capture.
    package let exchange: Int64?
    /// The rule that holds it.
    package let rule: String
    /// The method of the request.
    package let method: String
    /// The URL of the request.
    package let url: String
    /// The path and query of the request.
    package let path: String
    /// The status; `nil` if the held message is a request.
    package let status: Int?
    /// The field lines, without the fields that Pinhole writes itself.
    package let fields: [(name: String, value: String)]
    /// The content, decoded if possible.
    package let body: [UInt8]
    /// The reason why the content could not be decoded; `nil` if it could, or if it is not coded.
    package let trouble: String?
    /// The time since which the message is held.
    package internal(set) var since = Timestamp(microseconds: 0)
    /// The time at which the message goes on without a decision.
    package internal(set) var until = Timestamp(microseconds: 0)

    /// Whether both values are the same held message.
    package static func == (left: HeldAtBreakpoint, right: HeldAtBreakpoint) -> Bool { left.id == right.id }
}
