package import PinholeFilter
import PinholeModel
import PinholeRules
package import PinholeStore

extension Configuration {
    /// The section `capture`: what is recorded, in which file, and for how long.
    package struct Capture: Sendable, Equatable {
        /// The path of the capture; `nil` for none; without a configuration file, ``Places`` decides.
        package var file: String? = Places.captureName
        /// Whether bodies are recorded.
        package var bodies = true
        /// Whether the local programs that make connections are recorded.
        var clientProcesses = true
        /// Whether the bytes of connections are kept as they were sent, with the secrets that decrypt them.
        package var packets = false
        var maxAgeDays: Int64?
        /// The size beyond which the oldest records are removed, in megabytes; `nil` for no limit.
        package var maxSizeMB: Int64?
        /// The size in MB at which the content is moved to a file of its own; `nil` for never.
        package var rotateMB: Int64?
        /// The number of such files that are kept; `nil` for all.
        package var keepFiles: Int64?
        var whenFull = CaptureStore.WhenFull.stopCapture
        /// The filter that decides what is recorded.
        package var filter = Filter.everything
        /// The filter's text in the file; empty for everything.
        package var filterText = ""
        /// The filter's text in a flag, which wins over the file; `nil` without a flag.
        package var filterFlag: String?
        /// The rotation of the file; `nil` for none.
        package var rotation: CaptureRotation? {
            guard let file, let rotateMB else { return nil }
            return CaptureRotation(of: file, at: rotateMB * 1_000_000, keeping: keepFiles.map(Int.init))
        }
        /// The text of the filter that applies.
        package var filterInUse: String { filterFlag ?? filterText }
    }

    /// The bytes that are kept of one body, and of one message of a WebSocket.
    fileprivate var bodyLimit: Int64 {
        get { limits.bodyCapture }
        set {
            limits.bodyCapture = newValue
            limits.messageCapture = newValue
        }
    }
}

extension Configuration.Capture {
    static var section: ConfigurationSection {
        ConfigurationSection("capture", "the record of the traffic: its file, its size, its age", keys)
    }

    private static var keys: [ConfigurationKey] {
        [
            .value(
                "file",
                \.capture.file,
                usual: "\"\(Places.captureName)\"",
                DocumentValue.optional(DocumentValue.word),
                "The capture file, mode 0600, relative to the folder of this file; `null` records nothing",
                harm: .none(
                    "a file outside of the folder and of Pinhole's own directories is confirmed as such"
                )
            ),
            .flag(
                "bodies",
                \.capture.bodies,
                "Whether bodies and payloads of WebSocket messages are recorded. Their true lengths always are",
                harm: .none("the capture is readable by its user alone")
            ),
            .flag(
                "clientProcesses",
                \.capture.clientProcesses,
                "Whether Pinhole records which programs on this machine make connections "
                    + "(docs/LISTENERS.md#which-program-asked)",
                harm: .none("the capture is readable by its user alone")
            ),
            .flag(
                "packets",
                \.capture.packets,
                "Whether the bytes of both sides are kept as they were sent, with the TLS secrets that decrypt them "
                    + "(docs/EXCHANGE.md#packets). With a filter nothing is kept",
                harm: .confirmed("the capture keeps the secrets of TLS sessions", values: "`true`") {
                    (configuration, key) in
                    configuration.capture.packets
                        ? ["keeps the secrets that decrypt connections in the capture (\(key))"] : []
                }
            ),
            .count(
                "bodyLimitBytes",
                \.bodyLimit,
                in: 0...(1 << 40),
                "The bytes that are kept of one body, or of one message of a WebSocket. A longer one passes and is "
                    + "marked as truncated. 16 MiB are enough for what people read; a gigabyte of video is seldom wanted",
                harm: .none("it can only change how much of a body is recorded")
            ),
            .optional(
                "maxAgeDays",
                \.capture.maxAgeDays,
                DocumentValue.integer(in: 1...36_500),
                "Removes entries that are older. `null` keeps everything, because nobody expects a recorder to forget",
                harm: .confirmed("older records of the capture are deleted") { (configuration, key) in
                    configuration.capture.maxAgeDays.map {
                        ["deletes records of the capture that are older than \($0) days (\(key))"]
                    } ?? []
                }
            ),
            .optional(
                "maxSizeMB",
                \.capture.maxSizeMB,
                DocumentValue.integer(in: 1...(1 << 20)),
                "Removes the oldest entries when the capture has grown beyond this",
                harm: .confirmed("older records of the capture are deleted") { (configuration, key) in
                    configuration.capture.maxSizeMB.map {
                        ["deletes the oldest records of a capture of more than \($0) MB (\(key))"]
                    } ?? []
                }
            ),
            .optional(
                "rotateMB",
                \.capture.rotateMB,
                DocumentValue.integer(in: 1...(1 << 20)),
                "Moves what has ended to a file of its own, beside the capture, when the capture has grown beyond this "
                    + "(docs/CAPTURE.md#rotation). `null` keeps one file",
                harm: .none("what is moved stays beside the capture")
            ),
            .optional(
                "keepFiles",
                \.capture.keepFiles,
                DocumentValue.integer(in: 1...10_000),
                "The number of such files that are kept; the oldest are deleted. `null` keeps all",
                harm: .confirmed("older files of the capture are deleted") { (configuration, key) in
                    configuration.capture.keepFiles.map {
                        ["deletes rotated files of the capture, except for the newest \($0) (\(key))"]
                    } ?? []
                }
            ),
            .choice(
                "whenFull",
                \.capture.whenFull,
                "The reaction to a full disk: `\"stopCapture\"` says so and lets traffic "
                    + "pass unrecorded; `\"stopTraffic\"` lets traffic wait",
                harm: .none("a full disk stops the record or the traffic, and the proxy says so")
            ),
            ConfigurationKey(
                "filter",
                usual: "null",
                "A filter for the exchanges that are recorded; `null` records everything "
                    + "(docs/CAPTURE.md#what-is-recorded). SIGHUP reads it again, and the console can change it",
                harm: .none("it can only take exchanges from the record")
            ) { (name, object, configuration) throws(DocumentFailure) in
                var text = ""
                try object.read(name, into: &text) { (value, path) throws(DocumentFailure) in
                    value == .null ? "" : try DocumentValue.string(value, path)
                }
                do throws(CommandFailure) {
                    try configuration.capture.use(text, configuration.filters.vocabulary)
                } catch {
                    throw DocumentFailure(path: "\(object.path).\(name)", problem: error.message)
                }
            },
        ]
    }

    /// Remarks on possible mistakes in the filter and in the sizes; those on the text of a flag were written before.
    package var remarks: [String] {
        let onText = filterFlag == nil ? filter.remarks.map { "capture.filter: \($0)" } : []
        let remarks = onText + remarksOnSizes
        guard packets, !filterInUse.isEmpty else { return remarks }
        return remarks + ["no packets are kept, since the capture has a filter, which judges exchanges only"]
    }

    private var remarksOnSizes: [String] {
        guard let rotateMB else {
            return keepFiles == nil ? [] : ["capture.keepFiles has no effect without capture.rotateMB"]
        }
        guard let maxSizeMB, maxSizeMB <= rotateMB else { return [] }
        return [
            "the capture never grows to \(rotateMB) MB (capture.rotateMB): "
                + "capture.maxSizeMB removes entries at \(maxSizeMB) MB"
        ]
    }

    /// Sets the filter that decides what is recorded.
    ///
    /// - Parameters:
    ///   - text: The filter; empty for everything.
    ///   - isFlag: Whether the filter is from a flag and not from the file.
    ///   - vocabulary: The vocabulary of the filter.
    /// - Throws: ``CommandFailure`` for an invalid filter, or for fields that are unknown when the filter is evaluated.
    package mutating func use(
        _ text: String,
        isFlag: Bool = false,
        _ vocabulary: FilterVocabulary
    ) throws(CommandFailure) {
        let new: Filter
        do throws(FilterFailure) {
            new = try Filter(text, vocabulary)
        } catch {
            throw CommandFailure(.usage, isFlag ? error.description : error.message)
        }
        if let problem = CaptureScope.problem(of: new) { throw CommandFailure(.usage, problem) }
        filter = new
        let text = new == .everything && new.calls.isEmpty ? "" : text
        filterFlag = isFlag ? text : nil
        if !isFlag { filterText = text }
    }
}
