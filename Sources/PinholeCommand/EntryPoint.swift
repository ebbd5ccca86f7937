import ArgumentParser
import Glibc
import PinholeClass
import PinholeClient
import PinholeCrypto
import PinholeFiles
import PinholeFormats
import PinholeLab
import PinholeSession
import PinholeStore
import PinholeTrust

/// The start of the process: parses, runs, and turns an error into an exit code.
@main
enum EntryPoint {
    /// Runs the command that the arguments name.
    static func main() async {
        var running: (any ParsableCommand.Type)?
        ProcessLimits.ignoreBrokenPipes()
        RecordMemory.keep()
        do {
            try checkProcesses()
            try ArgumentBytes.check(ArgumentBytes.ofProcess())
            try CommandSuggestion(ArgumentBytes.ofProcess()).checkHelp()
            var command = try Pinhole.parseAsRoot(withConsole(Array(CommandLine.arguments.dropFirst())))
            running = type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            if let failure = StandardOutput.failure { throw failure }
        } catch {
            exit(report(error, of: running))
        }
    }

    /// Returns arguments in which each `--console` of a proxy has a value: the help of ArgumentParser would call the value
    /// of an option that may be without one its default, also where the option is not given.
    private static func withConsole(_ arguments: [String]) -> [String] {
        guard let name = arguments.first, ["run", "proxy", "attach"].contains(name) else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments.indices.flatMap { index in
            let next = index + 1
            let isAlone = arguments[index] == "--console" && (next >= end || arguments[next].hasPrefix("-"))
            return isAlone && index < end ? [arguments[index], "auto"] : [arguments[index]]
        }
    }

    /// Checks that `/proc` is mounted, which a chroot often lacks.
    ///
    /// `CommandLine` reads the arguments there and would have none. Dispatch reads the state of its threads there and
    /// ends the process if it cannot.
    ///
    /// - Throws: ``CommandFailure`` if this process is not below `/proc`.
    private static func checkProcesses() throws(CommandFailure) {
        guard access("/proc/self/stat", R_OK) != 0 else { return }
        throw CommandFailure(
            "/proc is not mounted here, and Pinhole needs it: its arguments and threads are described there",
            remedy: "mount -t proc proc /proc, or from outside of a chroot: mount -t proc proc CHROOT/proc"
        )
    }

    /// Writes the message of an error for the user.
    ///
    /// - Parameters:
    ///   - error: The error that the parser or a command threw.
    ///   - command: The command that ran; `nil` if none did.
    /// - Returns: The exit code.
    private static func report(_ error: any Error, of command: (any ParsableCommand.Type)?) -> Int32 {
        if let failure = CommandFailure(error) {
            let failure = CommandSuggestion(ArgumentBytes.ofProcess()).completing(failure)
            StandardError.write("pinhole: \(failure)")
            return failure.status.rawValue
        }
        if let code = error as? ExitCode { return code.rawValue }
        // To answer either question, the parser lays out the usage of the command.
        let code = Pinhole.exitCode(for: error)
        let isAnswer = code == .success
        let columns = Terminal.width(isAnswer ? STDOUT_FILENO : STDERR_FILENO) ?? 80
        let message = Self.message(of: error, by: command)
        let text = HelpText(width: min(columns, HelpText.widest))
            .laid(CommandSuggestion(ArgumentBytes.ofProcess()).completing(message))
        if isAnswer {
            StandardOutput.write(text)
            return ExitStatus.done.rawValue
        }
        // `HelpText` has laid the text out: a caret below a filter must keep its column.
        FileDescriptorOutput.write("\(text)\n", to: STDERR_FILENO)
        return (code == .validationFailure ? ExitStatus.usage : .couldNotRun).rawValue
    }

    /// Returns the message of an error, with the usage of its command if the command line is wrong.
    ///
    /// ArgumentParser knows the command of its own errors alone. To the error of a running command it adds the usage of
    /// `pinhole`.
    private static func message(of error: any Error, by command: (any ParsableCommand.Type)?) -> String {
        guard let error = error as? ValidationError, let command else {
            return Pinhole.fullMessage(for: error, columns: HelpText.unbroken)
        }
        let usage = Pinhole.usageString(for: command)
        let name = usage.split(separator: " ").prefix { $0.first?.isLetter == true }.joined(separator: " ")
        return "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
    }
}

extension CommandFailure {
    /// Creates the failure of a command from an error that it threw; `nil` for an error of the parser.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as ClassFailure: self.init(failure)
        case let failure as AuthorityFailure: self.init(failure)
        case let failure as ClientFailure: self.init(failure.detail)
        case let failure as Problem:
            self.init(.couldNotRun, Plain.printable(failure.detail), remedy: failure.remedy)
        // A copy that is not free of secrets is a negative result.
        case Redaction.Failure.found: self.init(.negative, "\(error)")
        case is CaptureFailure, is Redaction.Failure, is CryptoFailure, is LabFailure, is PolicyFailure,
            is InputFailure:
            self.init("\(error)")
        default: return nil
        }
    }
}
