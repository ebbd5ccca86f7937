import ArgumentParser
import Glibc
import PinholeClient
import PinholeModel
import PinholeSession

/// `pinhole fetch`.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a URL, and explain why its server is trusted.",
        discussion: """
            The client judges the server inside of the TLS handshake, answers challenges as an app on Apple's URLSession
            does, and fails with the error that such an app would see. The exit code is 0 when the response came
            (whatever its status), 1 when the client refused or the fetch failed, 2 for wrong usage, 3 when it could not
            begin.

            EXAMPLES
              pinhole fetch https://example.com/
              pinhole fetch --explain https://example.com/
                  every step: ClientHello, chain, challenges, checks, verdict
              pinhole fetch --explain --proxy http://127.0.0.1:8080 --cacert "$(pinhole ca path)" https://example.com/
                  through pinhole proxy, whose CA is trusted
              pinhole fetch --pin sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= https://example.com/
                  refused: no key of the chain has that pin
              pinhole fetch --cert alice.p12 --password-file secret.txt https://bank.example/
              pinhole fetch --user alice:secret --json https://example.com/private

            docs/JUDGE.md#pinhole-fetch explains every step.
            """
    )

    @OptionGroup(title: "Trust") var trust: FetchTrustOptions
    @OptionGroup(title: "Trust") var challenges: FetchDispositionOptions
    @OptionGroup(title: "Connection") var way: FetchRouteOptions
    @OptionGroup(title: "The request and the client") var asked: FetchRequestOptions

    @Flag(name: .shortAndLong, help: "Print the status, headers and trailers of the response as well.")
    var include = false

    @Option(name: .shortAndLong, help: .value("file", "Write the body to a file."))
    var output: String?

    @Flag(help: "Explain each step, instead of printing the body.")
    var explain = false

    @Flag(help: "Print one JSON object for each step and one for the result, instead of the body.")
    var json = false

    @Option(help: "The number of fetches, one after the other; later ones may resume the TLS session.")
    var times = 1

    @Argument(
        help: .value("url", "An https: or http: URL."),
        transform: { text in
            WithheldValue(text) { text in
                do throws(ClientFailure) {
                    return try ClientURL(international: text)
                } catch {
                    throw ValidationError(error.detail)
                }
            }
        }
    )
    var url: WithheldValue<ClientURL>

    func validate() throws {
        guard !(explain && json) else {
            throw ValidationError("--explain is for people and --json for machines: expected one of them")
        }
        guard (1...1000).contains(times) else {
            throw ValidationError("--times: expected 1 to 1000, found \(times)")
        }
        guard let url = url.value else { return }
        do throws(ClientFailure) {
            try request(url).check()
        } catch {
            throw ValidationError(
                "--method, --header: expected a token such as GET, and lines “Name: value” that fit a request "
                    + "without a body; \(Plain.printable(error.detail))"
            )
        }
    }

    private func request(_ url: ClientURL) -> ClientRequest {
        ClientRequest(url, method: asked.method, fields: asked.header.compactMap(\.value))
    }

    func run() async throws {
        let request = request(try url.required())
        let client = try makeClient(request.url)
        var failed = false
        let place = request.url.authority.text(defaultPort: request.url.scheme.defaultPort)
        for number in 1...times {
            let progress = ProgressLine.waiting(
                times == 1 ? "waiting for \(place)" : "\(number) of \(times), waiting for \(place)"
            )
            let outcome = await client.fetch(request)
            progress.end()
            try show(outcome)
            if case .failure = outcome.result { failed = true }
        }
        if failed { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func makeClient(_ url: ClientURL) throws -> PinholeClient {
        var (settings, delegate) = try trust.settings()
        try way.apply(to: &settings)
        asked.apply(to: &settings, url)
        return try PinholeClient(settings, delegate: challenges.delegate(besides: delegate))
    }

    private func show(_ outcome: FetchOutcome) throws(CommandFailure) {
        if case .success(let response) = outcome.result, let output {
            // The file is opened and not replaced: /dev/null stays a device, and a link leads to its file.
            let descriptor = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            defer { if descriptor >= 0 { close(descriptor) } }
            guard descriptor >= 0, FileDescriptorOutput.write(response.body, to: descriptor) else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure("could not write the body to \(output): \(reason)")
            }
        }
        if json {
            for line in FetchJSON.lines(outcome) { StandardOutput.write(line) }
        } else if explain {
            let text = FetchText(
                outcome,
                style: .forDescriptor(STDOUT_FILENO),
                width: Terminal.width(STDOUT_FILENO)
            )
            StandardOutput.write(text.lines.joined(separator: "\n"))
        } else {
            write(outcome)
        }
    }

    private func write(_ outcome: FetchOutcome) {
        switch outcome.result {
        case .success(let response):
            if include { FileDescriptorOutput.write(response.rawHead, to: STDOUT_FILENO) }
            if output == nil { FileDescriptorOutput.write(response.body, to: STDOUT_FILENO) }
            if include { FileDescriptorOutput.write(response.trailers.section, to: STDOUT_FILENO) }
            if let remark = FetchRemark.text(outcome, hasLogin: asked.user != nil) {
                StandardError.write("pinhole: \(Plain.printable(remark))")
            }
        case .failure(let failure):
            StandardError.write("pinhole: \(Plain.printable(failure.description))")
        }
    }
}
