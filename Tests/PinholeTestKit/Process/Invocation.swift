import Foundation

/// A program to be run, with everything that it gets.
package struct Invocation: Sendable, Equatable, CustomStringConvertible {
    /// The path of the program, or its name where it lies on the path.
    package var executable: String
    /// The arguments, without the program's name.
    package var arguments: [String]
    /// The whole environment.
    package var environment: [String: String]
    /// The working directory; `nil` for the one of the tests.
    package var directory: String?
    /// What it reads from standard input.
    package var input: [UInt8]

    /// Describes an invocation.
    ///
    /// - Parameters:
    ///   - executable: The path of the program, or its name where it lies on the path.
    ///   - arguments: The arguments, without the program's name.
    ///   - environment: Variables to set, or with `nil` to remove, in the environment of the tests.
    ///   - directory: The working directory; the user's XDG directories lie in it, too, so that no test writes into
    ///     the home of whoever runs it.
    ///   - input: What it reads from standard input.
    package init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        directory: String? = nil,
        input: [UInt8] = []
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = ProcessInfo.processInfo.environment
        let home = "\(directory ?? Self.unusedHome)/.xdg"
        for (name, folder) in [("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state")] {
            self.environment[name] = "\(home)/\(folder)"
        }
        self.environment[Patience.variable] = "\(Patience.programSeconds)"
        for (name, value) in environment { self.environment[name] = value }
        self.directory = directory
        self.input = input
    }

    /// A place that does not exist, for a program that is run in no directory of its own: nothing can be made there.
    private static let unusedHome = "/dev/null"

    /// The command line, for messages.
    package var description: String { ([executable] + arguments).joined(separator: " ") }

    /// What is started: Glibc shows Swift no way to change the directory, so env(1) does it.
    var program: String { directory == nil ? executable : "env" }

    /// The arguments of ``program``, its name first.
    var words: [String] {
        (directory.map { ["env", "--chdir=\($0)"] } ?? []) + [executable] + arguments
    }
}

/// How a process ended.
package enum ProcessExit: Sendable, Equatable {
    /// It exited with this code.
    case code(Int32)
    /// This signal ended it.
    case signal(Int32)
    /// It was killed by us, since it took too long.
    case timedOut
}

/// What a process left behind.
package struct ProcessResult: Sendable, Equatable, CustomStringConvertible {
    /// How it ended.
    package var exit: ProcessExit
    /// What it wrote to standard output.
    package var output: [UInt8]
    /// What it wrote to standard error.
    package var errorOutput: [UInt8]

    /// Standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard error as text.
    package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// Whether it exited with code 0.
    package var isSuccess: Bool { exit == .code(0) }

    /// How it ended and what it wrote, for messages.
    package var description: String {
        "\(exit)\n--- standard output\n\(text)\n--- standard error\n\(errorText)"
    }
}

/// Why a process could not be started, or did not say what was waited for.
package struct ProcessFailure: Error, CustomStringConvertible {
    /// What happened, with what the process wrote.
    package let description: String
}
