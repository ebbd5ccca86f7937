import PinholeFilter
import PinholeLock
import PinholeModel
import PinholeSession
import PinholeStore

/// Requests that change the capture.
extension ConsoleCall {
    /// The maximum count of exchange numbers that one journal line lists.
    private static let namedIDs = 10
    /// The maximum length of a filter in a journal line, in characters.
    private static let longestFilter = 300

    func note(_ editor: CaptureEditor) throws -> ConsoleAnswer {
        let id = try id()
        let members = try object()
        let isMarked = try boolean(members["isMarked"], "isMarked")
        let comment = try comment(members["comment"])
        let exists = try editor.note(id) { $0.take(isMarked: isMarked, comment: comment) }
        guard exists else { throw Problem.missing(id) }
        api.changes.raise()
        return ConsoleAnswer(204)
    }

    func remove(_ editor: CaptureEditor) throws -> ConsoleAnswer {
        let count: Int
        let meant: String
        switch (try ids(), request.value("filter")) {
        case (let ids?, nil):
            count = try editor.remove(ids)
            meant =
                ids.prefix(Self.namedIDs).map(String.init).joined(separator: ", ")
                + (ids.count > Self.namedIDs ? ", …" : "")
        case (nil, let text?) where !text.allSatisfy(\.isWhitespace):
            let filter = try condition(text)
            count = try remove(filter, editor)
            meant = filter == .everything ? "everything" : "\(filter)"
        case (_?, _?):
            throw Problem(400, "bad value", "expected either ids or filter, found both")
        case (nil, _):
            throw Problem(
                400,
                "nothing said",
                "expected a filter or ids, found neither",
                remedy: "filter=all removes everything"
            )
        }
        api.changes.raise()
        if count > 0 {
            let what = count == 1 ? "1 exchange or flow was" : "\(count) exchanges and flows were"
            let text = "\(what) removed from the capture in the console: \(meant.prefix(Self.longestFilter))"
            api.subject.journal?.note(.notice, text)
        }
        return ConsoleAnswer(204)
    }

    private func remove(_ filter: Filter, _ editor: CaptureEditor) throws -> Int {
        guard filter != .everything else { return try editor.removeAll(upTo: try editor.lastID()) }
        // This walk may be long, so it has a reader of its own.
        let reader = try CaptureReader(path: api.subject.capture)
        var ids: [Int64] = []
        _ = try reader.trafficIDs(TrafficFilter(filter)) { ids.append($0) }
        return try editor.remove(ids)
    }

    func setRecording() async throws -> ConsoleAnswer {
        guard let control = api.subject.control else {
            throw Problem(409, "no proxy", "nothing is recorded here: this console shows a file")
        }
        if let standstill = api.subject.store?.standstill {
            throw Problem(
                409,
                "capture stopped",
                "nothing can be recorded since \(standstill.since.iso8601): \(standstill.reason)",
                remedy: standstill.remedy
            )
        }
        let isOn = try order(RecordingSwitch.self).isRecording
        let wasOn = control.isRecording
        try await control.setRecording(isOn)
        api.settingChanges.raise()
        if wasOn != isOn {
            let text = isOn ? "recording again" : "recording paused: what begins from now on is not recorded"
            api.subject.journal?.note(.notice, "\(text) (set in the console)")
        }
        return .json(RecordingSwitch(isRecording: control.isRecording))
    }

    private func boolean(_ value: JSONValue?, _ name: String) throws(Problem) -> Bool? {
        switch value {
        case nil: return nil
        case .boolean(let value): return value
        case let other?: throw Problem.bad(name, expected: "true or false", found: other)
        }
    }

    /// Returns a comment from a member of the body; an empty text stands for no comment.
    private func comment(_ value: JSONValue?) throws(Problem) -> String? {
        switch value {
        case nil: return nil
        case .null: return ""
        case .string(let text) where text.count <= TrafficNote.longestComment: return text
        case .string(let text):
            throw Problem.bad(
                "comment",
                expected: "at most \(TrafficNote.longestComment) characters",
                instead: "\(text.count)"
            )
        case let other?: throw Problem.bad("comment", expected: "a text or null", found: other)
        }
    }
}
