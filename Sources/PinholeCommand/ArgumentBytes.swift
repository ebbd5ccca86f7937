import Glibc
import PinholeSession

/// The arguments as the system hands them over: bytes, which need not be text.
///
/// `CommandLine.arguments` replaces invalid UTF-8 by U+FFFD, so a command would use another file, or run another
/// program, than the user wrote.
enum ArgumentBytes {
    /// Returns the arguments of this process, without its own name.
    static func ofProcess() -> [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { pointer in
                Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
            }
        }
    }

    /// Checks that arguments are valid text.
    ///
    /// - Throws: ``CommandFailure`` that shows the first argument that is not valid text.
    static func check(_ arguments: [[UInt8]]) throws(CommandFailure) {
        for (index, argument) in arguments.enumerated()
        where String(validating: argument, as: UTF8.self) == nil {
            throw CommandFailure.usage(
                "expected arguments in UTF-8, found “\(shown(argument))” as argument \(index + 1)",
                remedy: "give the file a name in UTF-8, or hand it over as standard input where “-” is read"
            )
        }
    }

    /// Returns the text of an argument, with `\xE9` for a byte that is not valid UTF-8.
    private static func shown(_ argument: [UInt8]) -> String {
        let text = argument.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return (0x20..<0x7f).contains(byte)
                ? String(Unicode.Scalar(byte)) : "\\x\(digits.count == 1 ? "0" : "")\(digits)"
        }
        return text.prefix(80).joined() + (text.count > 80 ? "…" : "")
    }
}
