package import PinholeModel

/// A message that is held at a breakpoint, as people want to see it.
package struct HeldAtBreakpoint: Sendable, Equatable {
    /// Its number.
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
    /// The status; `nil` where it is the request that is held.
    package let status: Int?
    /// The field lines, without those that Pinhole writes itself.
    package let fields: [(name: String, value: String)]
    /// The content, without its codings where they can be taken off.
    package let body: [UInt8]
    /// Why the codings could not be taken off; `nil` where they were, or are none.
    package let trouble: String?
    /// Since when it is held.
    package internal(set) var since = Timestamp(microseconds: 0)
    /// When it goes on by itself.
    package internal(set) var until = Timestamp(microseconds: 0)

    /// Whether both are the same.
    package static func == (left: HeldAtBreakpoint, right: HeldAtBreakpoint) -> Bool { left.id == right.id }
}
