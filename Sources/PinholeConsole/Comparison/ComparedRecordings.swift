import PinholeLock
import PinholeModel
import PinholeStore

/// The recordings that the user gave to be compared with the capture, each in a temporary capture of its own.
final class ComparedRecordings: Sendable {
    /// The largest number of recordings at a time.
    static let limit = 4

    private let capture: String
    private let imports: ImportQueue
    private let places = Lock<[Int64: ScratchCapture]>([:])

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - capture: The capture beside which the temporary captures are stored.
    ///   - hostNames: Converts host names to A-labels.
    init(beside capture: String, hostNames: @escaping @Sendable (String) -> String) {
        self.capture = capture
        imports = ImportQueue(.file(capture), hostNames: hostNames)
    }

    /// The recordings, in the order in which they came.
    var jobs: [ImportJob] { places.withLock { places in imports.jobs.filter { places[$0.id] != nil } } }

    /// Begins to read a file; `nil` if the list is full.
    func take(_ file: ImportFile, named name: String, now: Timestamp) -> ImportJob? {
        let place = ScratchCapture(for: .import, beside: capture)
        return places.withLock { places in
            // The queue does not remember imports of long ago.
            for id in places.keys where imports[id] == nil { places[id] = nil }
            guard places.count < Self.limit,
                let job = imports.begin(file, named: name, format: nil, now: now, into: .file(place.path))
            else { return nil }
            places[job.id] = place
            return job
        }
    }

    /// Removes a recording; returns whether there was one.
    func remove(_ id: Int64) -> Bool {
        guard let place = places.withLock({ $0.removeValue(forKey: id) }) else { return false }
        _ = imports.cancel(id)
        // The file is deleted here, outside of the lock.
        withExtendedLifetime(place) {}
        return true
    }

    /// Removes all recordings.
    func removeAll() { for job in jobs { _ = remove(job.id) } }

    /// Calls `use` with a recording, with a reader if it was read to its end; returns `nil` if there is no such recording.
    func reading<Result>(
        _ id: Int64,
        _ use: (CaptureReader?, ImportJob) throws -> Result
    ) throws -> Result? {
        guard let place = places.withLock({ $0[id] }), let job = imports[id] else { return nil }
        // The file stays until the reader has ended.
        return try withExtendedLifetime(place) {
            guard job.state == .done else { return try use(nil, job) }
            try place.hold()
            return try use(try CaptureReader(path: place.path), job)
        }
    }
}
