/// The ways in which clients connect with the proxy.
extension ConsoleCall {
    func connect() throws(Problem) -> ConsoleAnswer {
        guard let connect = api.subject.connect else { throw Problem.noProxy }
        return .json(connect())
    }
}
