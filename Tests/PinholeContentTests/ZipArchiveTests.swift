import Foundation
import Testing

@testable import PinholeContent

@Suite("ZipArchive")
struct ZipArchiveTests {
    /// An archive by Python's zipfile: a compressed file, a folder and a stored file, and a comment at the end.
    private static let text = """
        UEsDBBQAAAAIAABQfV0bdx4iGQAAAGgBAAAWAAAAQmVuIEJlY2tlcl8xMi9taWEuanNvbqtWKi4pTUnNK1GyUsrNTFSq5aoeFaGBCABQSwMEFAAACAAAAFB9
        XQAAAAAAAAAAAAAAAAUAAADDlnJlL1BLAwQUAAAIAAAAUH1dC/lDVgYAAAAGAAAADwAAAMOWcmUveCAoMSkuanNvbnN0b3JlZFBLAQIUAxQAAAAIAABQfV0b
        dx4iGQAAAGgBAAAWAAAAAAAAAAAAAACAAQAAAABCZW4gQmVja2VyXzEyL21pYS5qc29uUEsBAhQDFAAACAAAAFB9XQAAAAAAAAAAAAAAAAUAAAAAAAAAAAAA
        AIABTQAAAMOWcmUvUEsBAhQDFAAACAAAAFB9XQv5Q1YGAAAABgAAAA8AAAAAAAAAAAAAAIABcAAAAMOWcmUveCAoMSkuanNvblBLBQYAAAAAAwADALQAAACj
        AAAABgBNb29kbGU=
        """

    private static func bytes() throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    @Test("files are read with their names, compressed or stored, and folders are left out")
    func files() throws {
        let archive = try ZipArchive(try Self.bytes())
        #expect(archive.entries.map(\.name) == ["Ben Becker_12/mia.json", "Öre/x (1).json"])
        let contents = try archive.entries.map {
            String(decoding: try archive.content(of: $0, limit: 1000), as: UTF8.self)
        }
        #expect(contents == [String(repeating: "{\"student\":\"mia\"}\n", count: 20), "stored"])
    }

    @Test("a file that is longer than the bound is refused, also if the archive says that it is shorter")
    func long() throws {
        let archive = try ZipArchive(try Self.bytes())
        let entry = try #require(archive.entries.first)
        #expect(throws: ZipArchive.Failure.tooLong(limit: 359)) { try archive.content(of: entry, limit: 359) }
        var lying = try Self.bytes()
        // The size of the first file in the directory: 360 is 0x0168.
        let place = try #require(Self.place(of: [0x50, 0x4b, 1, 2], in: lying))
        lying[place + 24] = 1
        lying[place + 25] = 0
        let other = try ZipArchive(lying)
        let first = try #require(other.entries.first)
        #expect(throws: ZipArchive.Failure.tooLong(limit: 300)) { try other.content(of: first, limit: 300) }
    }

    @Test("no change of a byte leads to another content, and no end of an archive to a crash")
    func damaged() throws {
        let bytes = try Self.bytes()
        let whole = try ZipArchive(bytes)
        let contents = Set(try whole.entries.map { try whole.content(of: $0, limit: 1000) })
        for index in bytes.indices {
            for value: UInt8 in [0, 0xff, bytes[index] ^ 1] {
                var damaged = bytes
                damaged[index] = value
                guard let archive = try? ZipArchive(damaged) else { continue }
                for entry in archive.entries {
                    guard let content = try? archive.content(of: entry, limit: 1000) else { continue }
                    #expect(contents.contains(content) || content.isEmpty, "byte \(index) as \(value)")
                }
            }
            // The comment at the end may be cut off.
            guard index < bytes.count - 6 else { continue }
            #expect(throws: ZipArchive.Failure.self) { try ZipArchive(Array(bytes[..<index])) }
        }
    }

    private static func place(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: pattern) }
    }
}
