/// Why a proxy that we are a client of gives us no connection.
package struct HopRefusal: Error, Equatable, Sendable {
    /// What kind of refusal it is.
    package enum Kind: String, Sendable, Equatable, CaseIterable {
        /// It wants credentials, or others than it got.
        case authentication
        /// It says that the way to the server goes round in a circle.
        case loop
        /// It could not, or would not, reach the server.
        case refused
        /// It does not speak as its protocol demands.
        case malformed
    }

    /// What kind of refusal it is.
    package let kind: Kind
    /// What it said, in a sentence; safe to print.
    package let detail: String

    /// Creates a refusal.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
