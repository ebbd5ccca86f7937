import Foundation
import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("CaptureSchema")
struct CaptureSchemaTests {
    private func failure(_ path: String) -> CaptureFailure? {
        do {
            try CaptureStore.open(.init(path: path), now: epoch).close()
            return nil
        } catch { return error }
    }

    @Test("refuses a file that is no database, and leaves it as it is")
    func garbage() throws {
        let scratch = try ScratchDirectory()
        let text = Data(String(repeating: "This is a diary. ", count: 1000).utf8)
        try text.write(to: URL(filePath: scratch.capture))
        chmod(scratch.capture, 0o600)
        #expect(
            failure(scratch.capture)?.description.contains("capture: it is not a SQLite database") == true
        )
        #expect(throws: CaptureFailure.self) { try CaptureReader(path: scratch.capture) }
        #expect(FileManager.default.contents(atPath: scratch.capture) == text)
    }

    @Test("refuses another program's database, and leaves it as it is")
    func otherDatabase() throws {
        let scratch = try ScratchDirectory()
        try Database(path: scratch.capture).execute("CREATE TABLE diary(text)")
        chmod(scratch.capture, 0o600)
        let before = FileManager.default.contents(atPath: scratch.capture)
        guard case .notCapture = failure(scratch.capture) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(FileManager.default.contents(atPath: scratch.capture) == before)
    }

    @Test("makes a capture of a file that a full disk left without tables")
    func begun() throws {
        let scratch = try ScratchDirectory()
        do {
            let database = try Database(path: scratch.capture)
            try database.execute("PRAGMA page_size = \(CaptureSchema.pageSize)")
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute("PRAGMA journal_mode = WAL")
            #expect(try database.number("the file", "PRAGMA page_count") == 1)
        }
        chmod(scratch.capture, 0o600)
        #expect(failure(scratch.capture) == nil)
        #expect(throws: Never.self) { try CaptureReader(path: scratch.capture) }
    }

    @Test("refuses the schema of a newer Pinhole")
    func newer() throws {
        let scratch = try ScratchDirectory()
        #expect(failure(scratch.capture) == nil)
        try Database(path: scratch.capture).execute("UPDATE meta SET value = 99 WHERE name = 'schema'")
        #expect(failure(scratch.capture) == .newerSchema(path: scratch.capture, found: 99, known: 1))
    }

    @Test("refuses a damaged file with a clear message")
    func damaged() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        for id in Int64(1)...500 { store.record([.exchange(try .sample(id))]) }
        store.close()
        var bytes = try #require(FileManager.default.contents(atPath: scratch.capture))
        for index in 200..<bytes.count where index.isMultiple(of: 3) { bytes[index] = 0xff }
        try bytes.write(to: URL(filePath: scratch.capture))
        #expect(failure(scratch.capture)?.description.contains("damaged") == true)
    }

    @Test("refuses a second writer, a directory that is not there, and a capture that is missing")
    func unusable() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        #expect(failure(scratch.capture) == .inUse(path: scratch.capture))
        store.close()
        #expect(failure(scratch.capture) == nil)
        let nowhere = scratch.path + "/nowhere/capture.sqlite"
        #expect(failure(nowhere)?.description.contains("No such file or directory") == true)
        #expect(throws: CaptureFailure.missing(path: nowhere)) { try CaptureReader(path: nowhere) }
    }
}
