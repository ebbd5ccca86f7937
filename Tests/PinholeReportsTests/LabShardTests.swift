import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("LabShard")
struct LabShardTests {
    @Test("is read and written", arguments: ["1/1", "2/5", "1000/1000"])
    func reads(text: String) throws {
        #expect(try LabShard(text).description == text)
    }

    @Test(
        "refuses files that are not part of a run",
        arguments: [
            "", "1", "/", "1/", "/2", "0/2", "3/2", "1/0", "-1/2", "+1/2", "1/2/3", "1 /2", "a/b", "1/1001",
            "99999999999999999999/2", "1.0/2",
        ]
    )
    func refuses(text: String) {
        let failure = #expect(throws: LabFailure.self) { try LabShard(text) }
        #expect(failure?.description.contains("“\(text)”") == true)
    }

    @Test("shares are disjoint, complete and of nearly one size", arguments: [1, 2, 3, 7, 60, 100])
    func shares(count: Int) {
        let elements = Array(0..<67)
        let shares = LabShard.all(count).map { $0.share(of: elements) }
        #expect(shares.flatMap { $0 }.sorted() == elements)
        let sizes = shares.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
        #expect(shares == LabShard.all(count).map { $0.share(of: elements) })
    }
}
