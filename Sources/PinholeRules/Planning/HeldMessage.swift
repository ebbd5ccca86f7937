package import PinholeModel

/// A message that is held with all of its content until its tasks are done.
package struct HeldMessage: Sendable, Equatable {
    /// The number of the exchange in the capture.
    package var exchange: ExchangeID?
    /// The request as the proxy forwards it or has forwarded it.
    package private(set) var request: RuleRequest
    /// The response as the proxy forwards it; `nil` if the held message is the request.
    package private(set) var response: RuleResponse?
    /// The tasks of the rules, in their order.
    package let tasks: [MessageTask]
    /// The content as received: with its content codings, but without chunks.
    package var body: [UInt8] = []

    /// Creates a message without content.
    package init(request: RuleRequest, response: RuleResponse? = nil, tasks: [MessageTask]) {
        self.request = request
        self.response = response
        self.tasks = tasks
    }

    /// The field lines of the held message.
    package var fields: HeaderFields { response?.fields ?? request.fields }

    /// Whether the message may have content.
    ///
    /// A response to HEAD, 204 and 304 have none (RFC 9110 §6.4.1).
    ///
    /// - Parameter status: The changed status; `nil` if it is unchanged.
    /// - Returns: Whether content is permitted.
    package func mayHaveContent(as status: Int?) -> Bool {
        guard let response else { return true }
        return request.method != "HEAD" && RuleResponse.mayHaveContent(status ?? response.status)
    }

    /// Returns the message with a change.
    package func changed(by change: MessageChange) -> HeldMessage {
        var message = self
        if let response {
            message.response?.status = change.status ?? response.status
            message.response?.fields = change.fields ?? response.fields
        } else {
            message.request.take(change)
        }
        message.body = change.body ?? body
        return message
    }

    /// Whether only the head is held, since no task needs the content.
    package var isHeadAlone: Bool { !tasks.contains(where: \.wantsBody) }

    /// The time limit for all tasks together.
    package var patience: Duration { tasks.reduce(.zero) { $0 + $1.patience } }
}
