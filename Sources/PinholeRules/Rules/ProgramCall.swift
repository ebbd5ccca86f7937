/// The program that is asked about exchanges, the points of its questions, and the action if it gives no answer.
package struct ProgramCall: Sendable, Hashable {
    /// A point of an exchange.
    package enum Point: String, Sendable, CaseIterable {
        /// The head of the request was received; its body passes unchanged.
        case requestHead
        /// The whole request was received.
        case request
        /// The head of the response was received; its body passes unchanged.
        case responseHead
        /// The whole response was received.
        case response

        /// Whether the point is before the request is sent to the server.
        package var isOfRequest: Bool { self == .requestHead || self == .request }
        /// Whether the body is held at the point.
        package var wantsBody: Bool { self == .request || self == .response }
    }

    /// The action for a message if no answer comes.
    package enum Failure: String, Sendable, CaseIterable {
        /// The message goes on unchanged.
        case pass
        /// The exchange ends.
        case close
    }

    /// The name under which the program is declared.
    package var name: String
    /// The points of the questions; empty until a declaration with the name is found.
    package var points: [Point] = []
    /// The time limit for an answer.
    package var patience = Duration.seconds(5)
    /// The action for a message if no answer comes.
    package var failure = Failure.pass

    /// Creates a call of the program with this name.
    package init(name: String) { self.name = name }

    /// The point of questions about requests; `nil` if there are none.
    package var requestPoint: Point? { points.first(where: \.isOfRequest) }
    /// The point of questions about responses; `nil` if there are none.
    package var responsePoint: Point? { points.first { !$0.isOfRequest } }
}
