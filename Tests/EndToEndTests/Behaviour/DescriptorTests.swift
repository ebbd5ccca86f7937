import PinholeTestKit
import Testing

/// What the program leaves open while it runs.
@Suite("Descriptors")
struct DescriptorTests {
    @Test("the lab closes all descriptors of each visit")
    func lab() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let shell = try #require(Executable.find("sh"))
        // 200 visits of three descriptors each; side by side they need less than a hundred.
        let result = try await ProcessRunner.run(
            Invocation(
                shell,
                [
                    "-c", "ulimit -n 256 && exec \"$0\" \"$@\"", binary, "lab", "--row", "SYS,SL",
                    "--scenario", "A01,A02,A04,L02,L03", "--repeat", "20",
                ]
            )
        )
        #expect(result.isSuccess, "\(result)")
    }
}
