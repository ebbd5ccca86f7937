import PinholeClient
import PinholeConsole
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeWire

/// The control of a proxy in another process, by its control API.
struct RemoteControl: ProxyControl {
    /// The members of requests; those that are `nil` are left out.
    private struct Body: Encodable {
        var process: Int64?
        var isContainer: Bool?
        var isRecording: Bool?
        var captureFilter: String?
        var passthrough: [String]?
        var fingerprint: String?
        var rules: [String]?
        var revision: Int?
        var rule: String?
        var index: Int?
        var content: String?
        var password: String?
        var browser: String?
        var url: String?
        var to: Side?
        var text: String?
        var base64: String?
        var method: String?
        var path: String?
        var status: Int?
        var fields: [[String]]?
        var bodyBase64: String?
        var reset: Bool?
    }

    private struct Held: Decodable {
        let held: [HeldListing]
    }

    private struct CheckedRule: Decodable {
        let mistake: RuleMistake?
    }

    private let console: RunningConsole

    /// Checks that the proxy has the same version of the API as this process.
    ///
    /// - Parameter console: The console of the proxy.
    /// - Throws: ``Problem`` if the console does not answer, or has another version of the API.
    init(_ console: RunningConsole) async throws(Problem) {
        self.console = console
        let found = try await answer("GET", "/api/state", as: ControlVersion.self)
        guard found.version == ControlVersion.current else {
            throw Problem(
                409,
                "other version",
                "its console at \(console.address) has version \(Plain.printable(found.version)) of the API, and this "
                    + "program has version \(ControlVersion.current)",
                remedy: "use the same version of Pinhole"
            )
        }
    }

    func setRecording(_ isOn: Bool) async throws(Problem) {
        try await ask("PUT", "/api/recording", Body(isRecording: isOn))
    }

    func record(only filter: String) async throws(Problem) {
        try await ask("PUT", "/api/settings", Body(captureFilter: filter))
    }

    func settings() async throws(Problem) -> ProxySettings { try await answer("GET", "/api/settings") }

    func passThrough(_ hosts: [String]) async throws(Problem) {
        try await ask("PUT", "/api/settings", Body(passthrough: hosts))
    }

    func settingsFile() async throws(Problem) -> SettingsFile {
        try await answer("GET", "/api/settings/file")
    }

    func writeSettings(over fingerprint: String) async throws(Problem) -> SettingsFile {
        try await answer("PUT", "/api/settings/file", Body(fingerprint: fingerprint))
    }

    func rules() async throws(Problem) -> RuleListing { try await answer("GET", "/api/rules") }

    func ruleForms() async throws(Problem) -> RuleForms { try await answer("GET", "/api/rules/kinds") }

    func replaceRules(with texts: [String], revision: Int?) async throws(Problem) {
        try await ask("PUT", "/api/rules", Body(rules: texts, revision: revision))
    }

    func checkRule(_ text: String, at index: Int?) async throws(Problem) -> Result<RuleReading, RuleMistake> {
        let content = try await ask("POST", "/api/rules/check", Body(rule: text, index: index))
        if let mistake = try decoded(content, as: CheckedRule.self).mistake { return .failure(mistake) }
        return .success(try decoded(content))
    }

    func saveFilter(_ name: String, _ text: String?) async throws(Problem) {
        try await ask(
            text == nil ? "DELETE" : "PUT",
            "/api/filters/\(Self.encoded(name))",
            text.map { Body(text: $0) }
        )
    }

    func trust() async throws(Problem) -> TrustListing { try await answer("GET", "/api/trust") }

    func acceptCertificate(of host: String, _ isAccepted: Bool) async throws(Problem) {
        try await ask(isAccepted ? "PUT" : "DELETE", "/api/trust/accepted/\(Self.encoded(host))")
    }

    func presentCertificate(_ content: [UInt8], password: String, to host: String) async throws(Problem) {
        try await ask(
            "PUT",
            "/api/trust/client-certificates/\(Self.encoded(host))",
            Body(content: Base64.encode(content), password: password)
        )
    }

    func withdrawCertificate(from host: String) async throws(Problem) {
        try await ask("DELETE", "/api/trust/client-certificates/\(Self.encoded(host))")
    }

    func browsers() async throws(Problem) -> BrowserListing { try await answer("GET", "/api/browser") }

    func openBrowser(_ name: String?, page: String?) async throws(Problem) -> BrowserListing.Running {
        try await answer("POST", "/api/browser", Body(browser: name, url: page))
    }

    func endBrowser(_ id: Int64) async throws(Problem) -> Bool {
        try await isDone("DELETE", "/api/browser/\(id)")
    }

    func beginRun(of process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace {
        try await answer("POST", "/api/runs", Body(process: process, isContainer: isContainer))
    }

    func endRun(_ id: Int64) async throws(Problem) -> RunOutcome? {
        try await unlessMissing { () throws(Problem) in try await answer("DELETE", "/api/runs/\(id)") }
    }

    /// Returns the state of the proxy and its capture.
    func state() async throws(Problem) -> ConsoleState { try await answer("GET", "/api/state") }

    /// Returns the filters that are saved under names.
    func savedFilters() async throws(Problem) -> SavedFilters {
        try await answer("GET", "/api/filters", as: FilterListing.self).saved
    }

    /// Sends a recorded request again, and returns when its answer has come.
    func send(_ request: RepeatedRequest) async throws(Problem) {
        try await ask("POST", "/api/send", request)
    }

    func heldMessages() async throws(Problem) -> [HeldListing] {
        try await answer("GET", "/api/breakpoints", as: Held.self).held
    }

    func heldMessage(_ id: Int64) async throws(Problem) -> HeldListing? {
        try await unlessMissing { () throws(Problem) in try await answer("GET", "/api/breakpoints/\(id)") }
    }

    func decide(_ id: Int64, _ verdict: MessageDecision) async throws(Problem) -> Bool {
        let body = Body(
            method: verdict.method,
            path: verdict.path,
            status: verdict.status,
            fields: verdict.fields?.map { [$0.name, $0.value] },
            bodyBase64: verdict.body.map { Base64.encode($0) }
        )
        let way = "/api/breakpoints/\(id)/"
        return switch verdict.way {
        case .proceed: try await isDone("POST", way + "continue", body)
        case .respond: try await isDone("POST", way + "respond", body)
        case .drop(let isReset): try await isDone("POST", way + "drop", Body(reset: isReset))
        }
    }

    func connect() async throws(Problem) -> ConnectListing { try await answer("GET", "/api/connect") }

    func send(_ message: OwnMessage) async throws(Problem) -> OwnMessage.Outcome {
        var body = Body(to: message.receiver)
        if message.kind == .text {
            body.text = String(decoding: message.payload, as: UTF8.self)
        } else {
            body.base64 = Base64.encode(message.payload)
        }
        do throws(Problem) {
            try await ask("POST", "/api/traffic/\(message.exchange.rawValue)/messages", body)
            return .taken
        } catch {
            switch error.title {
            case "not open": return .notOpen
            case "not sent": return .refused(error.detail)
            default: throw error
            }
        }
    }

    func abort(_ id: Int64) async throws(Problem) -> Bool {
        try await isDone("POST", "/api/traffic/\(id)/abort")
    }

    /// Returns a text as a part of a path.
    private static func encoded(_ text: String) -> String {
        PercentCoding.encode(text.utf8, isPlain: PercentCoding.isUnreserved)
    }

    /// Asks for an action, and returns false if its object is missing or over.
    private func isDone(
        _ method: String,
        _ path: String,
        _ body: Body? = nil
    ) async throws(Problem) -> Bool {
        do throws(Problem) {
            try await ask(method, path, body)
            return true
        } catch {
            guard [404, 409].contains(error.status) else { throw error }
            return false
        }
    }

    /// Returns an answer; `nil` if its object is missing.
    private func unlessMissing<Answer>(
        _ answer: () async throws(Problem) -> Answer
    ) async throws(Problem) -> Answer? {
        do throws(Problem) {
            return try await answer()
        } catch {
            guard error.status == 404 else { throw error }
            return nil
        }
    }

    private func answer<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: Body? = nil,
        as type: Answer.Type = Answer.self
    ) async throws(Problem) -> Answer {
        try decoded(try await ask(method, path, body))
    }

    private func decoded<Answer: Decodable>(
        _ content: [UInt8],
        as type: Answer.Type = Answer.self
    ) throws(Problem) -> Answer {
        do {
            return try JSONValue(parsing: content).decoded(as: type)
        } catch {
            throw Problem(
                502,
                "not understood",
                "its console at \(console.address) has an answer that this program cannot read: \(error)"
            )
        }
    }

    /// Sends a request, and returns the content of the answer.
    @discardableResult
    private func ask(
        _ method: String,
        _ path: String,
        _ body: (any Encodable)? = nil
    ) async throws(Problem) -> [UInt8] {
        let answer: (status: Int, body: [UInt8])
        do throws(ClientFailure) {
            answer = try await console.ask(method, path, body.map { JSONLine.text($0) } ?? "")
        } catch {
            throw Problem(
                503,
                "no answer",
                "its console at \(console.address) does not answer: \(Plain.printable(error.detail))"
            )
        }
        guard !(200..<300).contains(answer.status) else { return answer.body }
        if let document = try? JSONValue(parsing: answer.body).decoded(as: Problem.Document.self) {
            throw document.problem
        }
        throw Problem(
            answer.status,
            "refused",
            "its console at \(console.address) answers with status \(answer.status): "
                + Plain.printable(String(decoding: answer.body.prefix(400), as: UTF8.self))
        )
    }
}
