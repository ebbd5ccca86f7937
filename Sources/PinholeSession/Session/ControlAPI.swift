package import PinholeClient
import PinholeFormats
package import PinholeModel

/// A way to the console of a proxy in another process.
package protocol ControlConnection: Sendable {
    /// The address of the console.
    var address: Authority { get }

    /// Sends a request to the console.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path.
    ///   - body: JSON; empty for none.
    /// - Returns: The status, and the body.
    /// - Throws: ``ClientFailure`` when no answer comes.
    func ask(
        _ method: String,
        _ path: String,
        _ body: String
    ) async throws(ClientFailure) -> (status: Int, body: [UInt8])
}

/// The control API of a proxy in another process.
package struct ControlAPI: Sendable {
    private let console: any ControlConnection

    /// Checks that the proxy has the same version of the API as this process.
    ///
    /// - Throws: ``Problem`` if the console does not answer, or has another version of the API.
    package init(_ console: any ControlConnection) async throws(Problem) {
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

    /// The control of the proxy.
    package var control: any ProxyControl { RemoteControl(api: self) }

    /// Sends a request, and reads the answer.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path.
    ///   - body: The body, which is sent as JSON; `nil` for none.
    ///   - type: The type of the answer.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if there is no answer, or another one.
    package func answer<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: (any Encodable)? = nil,
        as type: Answer.Type = Answer.self
    ) async throws(Problem) -> Answer {
        try decoded(try await ask(method, path, body))
    }

    /// Sends a request, and returns the content of the answer.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path.
    ///   - body: The body, which is sent as JSON; `nil` for none.
    /// - Returns: The content.
    /// - Throws: ``Problem`` if there is no answer, or it says that the request was not carried out.
    @discardableResult
    package func ask(
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

    /// Returns a text as a part of a path.
    static func encoded(_ text: String) -> String {
        PercentCoding.encode(text.utf8, isPlain: PercentCoding.isUnreserved)
    }

    /// Asks for an action, and returns false if its object is missing or over.
    func isDone(
        _ method: String,
        _ path: String,
        _ body: (any Encodable)? = nil
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
    func unlessMissing<Answer>(
        _ answer: () async throws(Problem) -> Answer
    ) async throws(Problem) -> Answer? {
        do throws(Problem) {
            return try await answer()
        } catch {
            guard error.status == 404 else { throw error }
            return nil
        }
    }

    func decoded<Answer: Decodable>(
        _ content: [UInt8],
        as type: Answer.Type = Answer.self
    ) throws(Problem) -> Answer {
        do {
            return try JSONValue(parsing: content).decoded(as: type)
        } catch {
            throw Problem(
                502,
                "not understood",
                "its console at \(console.address) gave a response that this program cannot read: \(error)"
            )
        }
    }
}
