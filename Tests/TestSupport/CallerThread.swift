import Dispatch
import Synchronization

/// Runs asynchronous work on the thread that waits for it.
///
/// Work that blocks would otherwise hold up other tests, which share few threads.
public final class CallerThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  /// Counts the jobs, and the end.
  private let arrivals = DispatchSemaphore(value: 0)

  /// Returns the result of `work`, whose structured tasks run on this thread too.
  public static func run<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) -> Result {
    let thread = CallerThread()
    let result = Box<Result>()
    return withExtendedLifetime(thread) {
      Task(executorPreference: thread) {
        let value = await work()
        result.value.withLock { $0 = value }
        thread.arrivals.signal()
      }
      thread.runJobs()
      guard let value = result.value.withLock({ $0 }) else {
        preconditionFailure("jobs end with the work")
      }
      return value
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Runs jobs as they come, until there is an arrival without one.
  private func runJobs() {
    while true {
      arrivals.wait()
      guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
