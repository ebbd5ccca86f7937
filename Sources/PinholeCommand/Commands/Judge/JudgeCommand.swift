import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeTrust

/// `pinhole judge`.
struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Say if a policy accepts certificates from files.",
        discussion: """
            One verdict needs a policy, a chain, the anchors of the device and a moment. For many verdicts, --cases reads
            lines of JSON with id, mechanism, policy, host, presented, anchors, time, authLevel and verifier. Each line gets
            a line with id, verdict, reason and detail, in the same order. docs/JUDGE.md#pinhole-judge describes both.

            EXAMPLES
              pinhole judge --policy pins.json --host api.example.com --chain chain.pem --anchors roots.pem
                  judges at this moment; the exit code is 1 for a rejected chain
              pinhole judge --policy pins.json --host api.example.com --chain chain.pem --anchors roots.pem \\
                  --at 2026-01-01T00:00:00Z --json
              pinhole judge --cases cases.jsonl --root evidence
                  paths in the cases begin at the folder evidence
            """
    )

    @Option(help: .value("file", "A policy of Pinhole or of a vendor (docs/PINS.md#policy-documents)."))
    var policy: String?

    @Option(
        help: "The requested host; without it, each that policy and leaf name, or no name is checked.",
        transform: FlagValue.host
    )
    var host: Host?

    @Option(help: .value("file", "The chain that the server presented, leaf first (PEM or DER)."))
    var chain: String?

    @Option(help: .value("file", "The CAs that the device trusts (PEM)."))
    var anchors: String?

    @Option(
        help: .value("time", "The moment, or a day (now)."),
        transform: { try FlagValue.parse($0, RFC3339.readDay) }
    )
    var at: Timestamp?

    @OptionGroup var files: FilesOption
    @OptionGroup var rules: VerifierOption
    @OptionGroup var known: LogListOption

    @Option(help: "OpenSSL's security level, 0 to 5, for keys and signatures.")
    var authLevel: Int = 0

    @Option(help: .value("file", "The stapled OCSP response (DER)."))
    var staple: String?

    @Option(help: .value("file", "The handshake's certificate timestamps (RFC 6962 §3.3)."))
    var timestamps: String?

    @Option(help: .value("file", "A revocation list (PEM or DER); may be repeated."))
    var revocationList: [String] = []

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: .value("file", "Cases, one JSON object a line; - for standard input."))
    var cases: String?

    @Option(help: .value("directory", "The directory that the paths in cases are relative to."))
    var root: String?

    func validate() throws {
        guard (0...5).contains(authLevel) else {
            throw ValidationError("--auth-level: expected 0 to 5, found \(authLevel)")
        }
        if cases != nil {
            let isOne = policy != nil || host != nil || chain != nil || anchors != nil || at != nil
            guard !isOne, staple == nil, timestamps == nil, revocationList.isEmpty else {
                throw ValidationError(
                    "--cases: only --root, --files, --verifier and --log-list may stand beside it; each case names everything else"
                )
            }
        } else {
            guard policy != nil, chain != nil, anchors != nil else {
                throw ValidationError("expected --policy, --chain and --anchors, or --cases")
            }
            guard root == nil else { throw ValidationError("--root: expected --cases beside it") }
        }
    }

    func run() throws {
        if let cases { try judge(cases: cases) } else { try judgeOne() }
    }

    // MARK: Many

    private func judge(cases: String) throws {
        let access = try access(of: cases)
        guard cases != "-" else { return try judge(STDIN_FILENO, access, named: cases) }
        let file = try files.document(cases).input
        var facts = stat()
        let isFile = fstat(file.descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        try judge(file.descriptor, access, named: cases, size: isFile ? Int64(facts.st_size) : nil)
        withExtendedLifetime(file) {}
    }

    /// Returns the files that cases may name: those below `--root`, `--files` and the folder of the cases.
    ///
    /// Relative names begin at `--root`, or at the working directory.
    private func access(of cases: String) throws -> FileAccess {
        guard root != nil || !files.folders.isEmpty || !DocumentFile.isPipe(cases) else {
            return .none(remedy: "cases from standard input may name files below --root DIR or --files DIR")
        }
        let access = try DocumentFile.access(of: cases, startingAt: root, allowing: files.folders)
        return root == nil ? access.startingAtWorkingDirectory(orAt: "--root") : access
    }

    private func judge(
        _ input: Int32,
        _ access: FileAccess,
        named cases: String,
        size: Int64? = nil
    ) throws(CommandFailure) {
        let judge = CaseJudge(access, verifier: rules.verifier, logs: try known.logs())
        var stream = CaseStream(judge: judge)
        let progress = ProgressLine(after: .seconds(1))
        defer { progress.end() }
        stream.progress = { progress.tell($1, of: size, "\(cases): \(Plain.count($0, "case"))") }
        let failure = stream.run(input) { lines in
            var isRead = true
            progress.aside { isRead = FileDescriptorOutput.write(lines, to: STDOUT_FILENO) }
            return isRead
        }
        progress.end()
        if let failure {
            throw CommandFailure("could not read \(cases): \(String(cString: strerror(failure)))")
        }
        if stream.failures > 0 {
            StandardError.write("pinhole: \(stream.failures) of \(stream.count) cases could not be read")
        }
    }

    // MARK: One

    private func judgeOne() throws {
        var evidence = try evidence()
        evidence.logs = try known.logs()
        let file = try files.policy(policy ?? "")
        let answers = JudgedFile(file, evidence)
        if json {
            StandardOutput.write(JSONLine.text(JudgementJSON.object(answers)))
        } else {
            let text = JudgementText(style: .forDescriptor(STDOUT_FILENO))
            for line in text.lines(answers) { StandardOutput.show(line) }
        }
        if answers.isRejected { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func evidence() throws -> Evidence {
        let files = EvidenceFiles()
        var evidence = Evidence(
            host: host,
            presented: PresentedChain(try files.certificates(chain ?? "")),
            anchors: try files.certificates(anchors ?? ""),
            time: at ?? LoopClock().now()
        )
        evidence.securityLevel = authLevel
        evidence.verifier = rules.verifier
        if let staple { evidence.staple(try files.stapledResponse(staple)) }
        if let timestamps { evidence.signedTimestamps = try files.timestamps(timestamps) }
        evidence.revocationLists = try files.revocationLists(revocationList)
        return evidence
    }
}
