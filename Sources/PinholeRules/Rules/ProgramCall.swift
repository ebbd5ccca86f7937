/// Which program is asked about exchanges, at which points, and what happens where it gives no answer.
package struct ProgramCall: Sendable, Hashable {
    /// A point of an exchange.
    package enum Point: String, Sendable, CaseIterable {
        /// The head of the request is there; its body passes as it comes.
        case requestHead
        /// All of the request is there.
        case request
        /// The head of the response is there; its body passes as it comes.
        case responseHead
        /// All of the response is there.
        case response

        /// Whether it lies before the server is asked.
        package var isOfRequest: Bool { self == .requestHead || self == .request }
        /// Whether the body is held for it.
        package var wantsBody: Bool { self == .request || self == .response }
    }

    /// What becomes of a message about which no answer came.
    package enum Failure: String, Sendable, CaseIterable {
        /// It goes on as it is.
        case pass
        /// The exchange ends.
        case close
    }

    /// The name under which the program is declared.
    package var name: String
    /// Where it is asked; nowhere while no declaration was found for the name.
    package var points: [Point] = []
    /// How long it may take over an answer.
    package var patience = Duration.seconds(5)
    /// What becomes of a message about which no answer came.
    package var failure = Failure.pass

    /// Creates a call of the program of this name.
    package init(name: String) { self.name = name }

    /// Where it is asked about requests; `nil` for not at all.
    package var requestPoint: Point? { points.first(where: \.isOfRequest) }
    /// Where it is asked about responses; `nil` for not at all.
    package var responsePoint: Point? { points.first { !$0.isOfRequest } }
}
