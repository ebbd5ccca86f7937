import PinholeFiles
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholePolicies
@testable import PinholeReports

@Suite("The origins of rows")
struct RowSourcesTests {
    private func run(_ digest: String?, shard: String? = nil) throws -> LabDocument {
        var document = SampleRun.made()
        document.policies[0].digest = digest
        if let shard { document.shards = [try LabShard(shard)] }
        return document
    }

    @Test("parts with one name and different contents are not merged, and both are named")
    func different() throws {
        let parts = [try run("aaaa"), try run("bbbb"), try run("aaaa")]
        let failure = #expect(throws: LabFailure.self) {
            try LabDocument.merging(parts, names: ["1.json", "2.json", "3.json"])
        }
        #expect(
            failure?.description == """
                expected parts of the same policies and commands, found different ones (SHA-256): mine is one thing \
                in 1.json, 3.json (aaaa…) and another in 2.json (bbbb…); run every part with the same files, and the \
                same command
                """
        )
        let unnamed = RowSources(of: [try run("aaaa", shard: "1/2"), try run("bbbb")]).difference
        #expect(unnamed?.contains("in part 1/2 (aaaa…) and another in report 2 (bbbb…)") == true)
    }

    @Test("a report that does not tell is merged, and said to be in doubt")
    func silent() throws {
        let parts = [try run("aaaa"), try run(nil)]
        #expect(try LabDocument.merging(parts).policies[0].digest == nil)
        #expect(
            RowSources(of: parts, names: ["1.json", "2.json"]).doubts == [
                """
                2.json: no sha256 of mine, as from an older pinhole; whether all parts are of the same contents is \
                not known
                """
            ]
        )
        #expect(RowSources(of: [try run(nil)]).doubts.isEmpty)
        #expect(RowSources(of: [try run("aaaa"), try run("aaaa")]).doubts.isEmpty)
        #expect(try LabDocument.merging([try run("aaaa"), try run("aaaa")]).policies[0].digest == "aaaa")
    }

    @Test("one file in two folders is one file")
    func folders() throws {
        var (one, two) = (try run("aaaa"), try run("aaaa"))
        one.policies[0].file = "/a/mine"
        two.policies[0].file = "/b/mine"
        #expect(try LabDocument.merging([one, two]).policies[0].file == "/a/mine")
        two.policies[0].digest = nil
        #expect(throws: LabFailure.self) { try LabDocument.merging([one, two]) }
    }

    @Test("the digest covers the document alone, or all documents that it names")
    func digests() throws {
        let document = Array("pinned sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=".utf8)
        let alone = NamedFiles(.memory([:])).digest(of: document)
        #expect(alone == NamedFiles(.memory([:])).digest(of: document) && alone.utf8.count == 64)
        func named(_ files: [String: [UInt8]]) throws -> String {
            let read = NamedFiles(.memory(files))
            for name in files.keys { _ = try read.parsed(name, as: "bytes") { $0 } }
            return read.digest(of: document)
        }
        let two = try named(["a": [1], "b": [2]])
        #expect(two != alone)
        #expect(try named(["b": [2], "a": [1]]) == two)
        #expect(try named(["a": [1], "b": [3]]) != two)
    }

    @Test("commands of other words are other commands")
    func commands() {
        #expect(LabPolicy.digest(of: ["a", "b c"]) != LabPolicy.digest(of: ["a b", "c"]))
    }
}
