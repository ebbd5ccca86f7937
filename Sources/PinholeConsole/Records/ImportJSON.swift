import PinholeStore

/// The progress of an import, as the API describes it.
struct ImportJSON: Encodable {
    let id: Int64
    let name: String
    let bytes: Int64
    let read: Int64
    let exchanges: Int
    let leftOut: Int
    let remarks: [String]
    let state: ImportJob.Phase
    let failure: String?

    /// Describes an import.
    init(_ job: ImportJob) {
        id = job.id
        name = job.name
        bytes = job.bytes
        read = job.read
        exchanges = job.exchanges
        leftOut = job.leftOut
        remarks = job.remarks
        state = job.phase
        failure = job.failure
    }
}
