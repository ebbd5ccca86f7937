import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore
import PinholeWire

/// Requests that import files of other tools into the capture.
extension ConsoleCall {
    /// The maximum length of a file's name that is kept, in characters.
    private static let longestName = 200

    func imports() throws -> ConsoleAnswer {
        .json(ImportList(imports: api.imports.jobs))
    }

    func importJob() throws -> ConsoleAnswer {
        let id = try id()
        guard let job = api.imports[id] else { throw missingImport(id) }
        return .json(job)
    }

    func cancelImport() throws -> ConsoleAnswer {
        let id = try id()
        guard api.imports.cancel(id) else { throw missingImport(id) }
        return ConsoleAnswer(204)
    }

    func beginImport() throws -> ConsoleAnswer {
        var format: ImportFormat?
        if let text = request.value("format") {
            format = ImportFormat(rawValue: text)
            guard format != nil else {
                let names = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.bad("format", expected: names, found: text)
            }
        }
        let (file, title) = try receivedFile()
        guard let job = api.imports.begin(file, named: title, format: format, now: api.clock.now()) else {
            throw Problem(
                503,
                "busy",
                "\(ImportQueue.limit) files are imported already, or wait for it",
                remedy: "wait for one of them"
            )
        }
        api.subject.journal?.note(.notice, "importing \(title) (\(file.size) bytes) in the console")
        return .json(job, status: 202)
    }

    /// Returns the file that was received, and its name for messages.
    func receivedFile() throws(Problem) -> (file: ImportFile, name: String) {
        guard let file = request.file else {
            throw Problem(400, "bad body", "expected the bytes of a file, found nothing")
        }
        // The name appears in messages and in the capture, so unseen characters are replaced.
        let name = (request.value("name") ?? "").unicodeScalars.map {
            $0.isUnseen ? " " : String($0)
        }.joined().prefix(Self.longestName)
        return (file, name.isEmpty ? "a file" : String(name))
    }

    private func missingImport(_ id: Int64) -> Problem {
        Problem(404, "not here", "no import has the number \(id), or it was long ago")
    }
}

extension ConsoleAPI {
    /// Returns the file beside the capture that receives the body of an import or a recording; `nil` for other requests.
    func reception(of head: RequestHead) throws(CaptureFailure) -> ImportFile? {
        let receivers = [["api", "imports"], ["api", "recordings"]]
        guard head.method == "POST", receivers.contains(ConsoleRequest(head: head).path) else { return nil }
        return try ImportFile(beside: subject.capture)
    }
}

/// The imports.
struct ImportList: Codable {
    let imports: [ImportJob]
}
