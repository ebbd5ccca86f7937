import PinholeCrypto
import PinholeModel
package import PinholeTrust

/// A list of logs in the JSON of version 3 that Chrome and Apple publish: `operators`, each with `logs` and
/// `tiled_logs`.
package enum LogListDocument {
    /// Reads a list; unknown members are ignored.
    ///
    /// - Parameter bytes: The document.
    /// - Returns: The logs and the date of the list.
    /// - Throws: ``PolicyFailure`` with the path of the member that is missing or wrong.
    package static func read(_ bytes: [UInt8]) throws(PolicyFailure) -> LogList {
        do throws(DocumentFailure) {
            var document = try DocumentObject(try JSONValue(parsing: bytes), path: "")
            var date: Timestamp?
            try document.read("log_list_timestamp", into: &date, time)
            let operators = try document.require("operators", DocumentValue.list(logs))
            return LogList(operators.flatMap { $0 }, date: date)
        } catch {
            throw PolicyFailure("expected a list of logs (version 3): \(error)")
        }
    }

    /// Reads the logs of one operator.
    private static func logs(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [TransparencyLog] {
        var object = try DocumentObject(value, path: path)
        let name = try object.require("name", DocumentValue.string)
        let read = DocumentValue.list { (value, path) throws(DocumentFailure) in
            try log(value, path, of: name)
        }
        var logs: [TransparencyLog] = []
        var tiled: [TransparencyLog] = []
        try object.read("logs", into: &logs, read)
        try object.read("tiled_logs", into: &tiled, read)
        return logs + tiled
    }

    private static func log(
        _ value: JSONValue,
        _ path: String,
        of operatorName: String
    ) throws(DocumentFailure) -> TransparencyLog {
        var object = try DocumentObject(value, path: path)
        let key = try object.require("key") { (value, path) throws(DocumentFailure) in
            let text = try DocumentValue.string(value, path)
            guard let key = Base64.decode(text.utf8), (try? PublicKey(der: key)) != nil else {
                throw value.failure(at: path, expected: "a public key in Base64")
            }
            return key
        }
        var title = ""
        try object.read("description", into: &title, DocumentValue.string)
        var state = TransparencyLog.State.unapproved
        try object.read("state", into: &state, self.state)
        return TransparencyLog(
            id: Digest.sha256(key),
            key: key,
            title: title,
            operator: operatorName,
            state: state
        )
    }

    /// Reads a state: an object whose only member is the name of the state.
    private static func state(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> TransparencyLog.State {
        guard case .object(let members) = value, let name = members.keys.first, members.count == 1 else {
            throw value.failure(at: path, expected: "an object with the state, {\"usable\": {…}}")
        }
        switch name {
        case "qualified", "usable", "readonly": return .approved
        case "retired":
            var object = try DocumentObject(members[name] ?? .null, path: "\(path).\(name)")
            return .retired(try object.require("timestamp", time))
        case "pending", "rejected": return .unapproved
        default:
            throw DocumentFailure(
                path: path,
                expected: "pending, qualified, usable, readonly, retired or rejected",
                found: "“\(DocumentPath.cut(name))”"
            )
        }
    }

    private static func time(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Timestamp {
        try DocumentValue.parsed(RFC3339.read)(value, path)
    }
}
