/// What tests of `pinhole run --isolate` need.
package enum IsolatedRun {
    /// Whether this system lets users make namespaces, and has the programs for it.
    package static func isPossible() async -> Bool {
        let tools = ["unshare", "ip", "nft"]
        guard tools.allSatisfy({ Executable.find($0) != nil }) else { return false }
        let words = ["--user", "--map-current-user", "--net", "--mount", "true"]
        let result = try? await ProcessRunner.run(Invocation("unshare", words))
        return result?.isSuccess == true
    }
}
