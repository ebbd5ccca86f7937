import Foundation
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

/// The family before programs that others wrote; where they differ is listed, and explained in docs/INSIDE.md.
@Suite("Foreign judges")
struct ForeignJudgesTests {
    /// The family, its files and what we say; made once for all tests.
    private struct Material: Sendable {
        let chains: [FamilyChain]
        let ours: [Bool]
        let folder: FamilyFolder
        let directory: TemporaryDirectory

        init() throws {
            let now = Timestamp.present
            chains = try ChainFamily(now: now).chains
            let verifier = ChainVerifier()
            ours = chains.map { verifier.evaluate($0.question(at: now)).isValid }
            directory = try TemporaryDirectory()
            // Where somebody wants to look at the files.
            let wanted = ProcessInfo.processInfo.environment["PINHOLE_FAMILY"]
            folder = try FamilyFolder(chains, to: wanted ?? "\(directory.path)/family", at: now)
        }
    }

    private static let material = Result { try Material() }
    private let chains: [FamilyChain]
    private let ours: [Bool]
    private let folder: FamilyFolder

    init() throws {
        let material = try Self.material.get()
        chains = material.chains
        ours = material.ours
        folder = material.folder
    }

    @Test(
        "openssl verify agrees, but where the table says why not",
        .enabled(if: ForeignJudge.openssl.isThere)
    )
    func openSSL() async throws {
        let folder = folder
        try await compare(.openssl, Array(chains.indices)) { number in
            try ForeignJudge.openSSL(number, in: folder)
        }
    }

    @Test("GnuTLS agrees, but where the table says why not", .enabled(if: ForeignJudge.gnutls.isThere))
    func gnuTLS() async throws {
        let folder = folder
        try await compare(.gnutls, Array(chains.indices)) { number in
            try ForeignJudge.gnuTLS(number, in: folder)
        }
    }

    @Test("curl agrees, but where the table says why not", .enabled(if: ForeignJudge.curl.isThere))
    func curl() async throws {
        let server = try ChainServer(folder)
        defer { server.end() }
        let (folder, ports) = (folder, server.ports)
        // curl knows neither levels nor whole chains; one chain for each factor is enough.
        var seen: Set<String> = []
        let numbers = chains.indices.filter { number in
            let chain = chains[number]
            return chain.securityLevel == 2 && server.ports[number] != 0 && seen.insert(chain.factor).inserted
        }
        #expect(numbers.count > 100)
        try await compare(.curl, numbers) { number in
            try ForeignJudge.curl(number, in: folder, port: ports[number])
        }
    }

    @Test("docs/INSIDE.md explains each matter")
    func explained() throws {
        let page = String(decoding: try bytesOfFile(clientProgram("../../docs/INSIDE.md")), as: UTF8.self)
        #expect(Disagreement.all.map(\.title).filter { !page.contains("| \($0) |") } == [])
        #expect(page.contains("a family of \(chains.count) chains"))
    }

    /// Asks for each chain, and compares with what is expected of the judge.
    private func compare(
        _ judge: ForeignJudge,
        _ numbers: [Int],
        _ ask: @escaping @Sendable (Int) throws -> ForeignAnswer
    ) async throws {
        let results = Lock([Int: ForeignAnswer]())
        await atOnce(numbers.count, width: ProcessInfo.processInfo.activeProcessorCount) { index in
            guard let answer = try? ask(numbers[index]) else { return }
            results.withLock { $0[index] = answer }
        }
        var differing: Set<String> = []
        for (index, number) in numbers.enumerated() {
            let chain = chains[number]
            let answer = try #require(results.withLock { $0[index] }, "\(judge) could not be run")
            guard let isTrusted = answer.isTrusted, isTrusted != ours[number] else { continue }
            differing.insert(chain.factor)
            #expect(
                Disagreement.all.contains { $0.covers(chain.factor, judge) },
                "[\(chain.factor)] \(chain.name): \(judge) \(isTrusted ? "trusts" : "refuses"): \(answer.output)"
            )
        }
        let stale = Disagreement.all.flatMap { $0.factors[judge] ?? [] }.filter { listed in
            !differing.contains { Disagreement.matches(listed, $0) } && Disagreement.settled[judge] != listed
        }
        #expect(stale == [], "\(judge) agrees by now")
    }
}

/// The server of Tests/Clients/serve_chains.py.
private final class ChainServer {
    let ports: [Int]
    private let process = Process()
    private let input = Pipe()

    init(_ folder: FamilyFolder) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", clientProgram("serve_chains.py"), folder.path, "\(folder.chains.count)",
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != 0x0a {
            line += byte
        }
        ports = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        try #require(ports.count == folder.chains.count)
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
