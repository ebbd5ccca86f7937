import ArgumentParser
import PinholeRules
import PinholeSession

/// `--interceptor`: programs that are asked about every exchange.
struct InterceptorOptions: ParsableArguments {
    @Option(
        help: .value(
            "command",
            "Ask this program about every request and response, by lines of JSON (docs/PROGRAMS.md); may be repeated."
        )
    )
    var interceptor: [String] = []

    func validate() throws {
        // A shell finds no command in '' either.
        for text in interceptor where text.allSatisfy({ $0.isWhitespace || $0 == "'" || $0 == "\"" }) {
            throw ValidationError("--interceptor: expected a command as a shell reads it, found “\(text)”")
        }
    }

    /// Adds the programs, and a rule for each behind those of the file.
    func apply(to configuration: inout Configuration) {
        for (index, text) in interceptor.enumerated() {
            let name = index == 0 ? "--interceptor" : "--interceptor \(index + 1)"
            var call = ProgramCall(name: name)
            call.points = [.request, .response]
            configuration.programs.append(ProgramDeclaration(call, command: ["sh", "-c", text]))
            configuration.rules.rules.append(Rule(name: name, action: .askProgram(call)))
        }
    }
}
