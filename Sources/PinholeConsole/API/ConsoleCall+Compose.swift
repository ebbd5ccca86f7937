import PinholeSession

/// Sending of requests that a user composed.
extension ConsoleCall {
    func send() async throws -> ConsoleAnswer {
        let order: RequestOrder = try order()
        let control: any SendingControl = api.subject.control ?? RequestSender(api.readers)
        return .json(try await control.send(order))
    }
}
