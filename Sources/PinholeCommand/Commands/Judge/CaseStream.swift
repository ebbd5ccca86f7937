import Glibc
import PinholeModel

/// Reads lines of cases and writes the answers in the same order.
struct CaseStream {
    /// The maximum length of a line, in bytes.
    private static let mostBytes = 1 << 20

    let judge: CaseJudge
    /// Called after each line with the number of cases, and with the bytes of the input up to its end.
    var progress: ((_ count: Int, _ offset: Int64) -> Void)?
    /// The number of lines that could not be read.
    private(set) var failures = 0
    /// The number of lines, without empty ones.
    private(set) var count = 0

    private var number = 0
    /// The number of bytes that were read before the current chunk.
    private var offset: Int64 = 0
    private var output = JSONText()
    /// The beginning of a line whose end was not read yet.
    private var rest: [UInt8] = []
    /// The beginning of a line that is too long; `nil` if the current line is not.
    private var longStart: [UInt8]?

    /// Creates a stream that uses `judge`.
    init(judge: CaseJudge) { self.judge = judge }

    /// Reads `input` to its end.
    ///
    /// - Parameters:
    ///   - input: The file descriptor.
    ///   - write: Writes lines; returns false after the reader of the output has closed it.
    /// - Returns: The error number if reading failed; otherwise `nil`.
    mutating func run(_ input: Int32, write: ([UInt8]) -> Bool) -> Int32? {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(input, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            if count == 0 { break }
            take(chunk[..<count])
            offset += Int64(count)
            guard flush(write) else { return nil }
        }
        end(rest[...])
        _ = flush(write)
        return nil
    }

    private mutating func take(_ chunk: ArraySlice<UInt8>) {
        var start = chunk.startIndex
        while let end = chunk[start...].firstIndex(of: 0x0a) {
            if rest.isEmpty {
                self.end(chunk[start..<end])
            } else {
                rest += chunk[start..<end]
                self.end(rest[...])
                rest = []
            }
            start = end + 1
            progress?(self.count, offset + Int64(start))
        }
        guard longStart == nil else { return }
        rest += chunk[start...]
        if rest.count > Self.mostBytes {
            longStart = rest
            rest = [0x20]
        }
    }

    private mutating func end(_ line: ArraySlice<UInt8>) {
        number += 1
        if let start = longStart {
            let id = JSONValue.readable("id", of: start)
            JudgementLine.write(error: "line \(number) is longer than 1 MiB", id: id, to: &output)
            count += 1
            failures += 1
            longStart = nil
        } else if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0d }) {
            count += 1
            if !judge.answer(line, number: number, into: &output) { failures += 1 }
        } else if line.isEmpty, rest.isEmpty {
            // The empty rest at the end of the file is not a line.
            return
        }
    }

    private mutating func flush(_ write: ([UInt8]) -> Bool) -> Bool {
        output.bytes.isEmpty || write(output.take())
    }
}
