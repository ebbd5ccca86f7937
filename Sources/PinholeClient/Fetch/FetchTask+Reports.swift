import PinholeRuntime
import PinholeTrust
import PinholeWire

extension FetchTask {
    /// The bytes that are read of the answer to a report.
    private static let reportAnswer = 4 << 10

    /// Sends the reports that policies ask for, each over a connection of its own that default handling judges.
    ///
    /// A report that does not arrive changes nothing else, as in the mechanisms that send them.
    func sendReports(on loop: isolated EventLoop) async {
        guard let collector = settings.reportCollector else { return }
        for report in reports {
            var request = ClientRequest(collector, method: "POST", body: report.body)
            request.fields = [("Content-Type", "application/json")]
            var settings = settings
            settings.body = .beginning(Self.reportAnswer)
            let task = FetchTask(request, settings: settings, shared: shared, delegate: ClientDelegate())
            let outcome = await task.run(on: loop)
            switch outcome.result {
            case .success(let response) where (200...299).contains(response.head.status):
                tell(.note("a report of the mismatch arrived"))
            case .success(let response):
                tell(.note("a report of the mismatch did not arrive (\(response.head.status))"))
            case .failure(let failure):
                tell(.note("a report of the mismatch did not arrive: \(failure.detail)"))
            }
        }
    }
}
