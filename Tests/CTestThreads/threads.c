// Runs Swift's tasks on threads of their own, while tests run.
//
// Without this, tasks run on the threads of Dispatch. On Linux, Dispatch begins at most two threads for each core, as
// long as one of them computes. So a test that computes and a few that wait for a program keep every queue of the proxy
// in the same process from running, for as long as they do; time-outs pass meanwhile. Here, tests wait on threads that
// nothing else needs, and Dispatch has its own.
//
// The runtime hands each task to the hook, if there is one (swift/Runtime/Concurrency.h).

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*Enqueue)(void *job);

extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, Enqueue original);
extern SWIFT void swift_job_run(void *job, void *executor, uintptr_t implementation);

// More than the tests that run at one time, with the tasks in which each of them waits.
enum { MOST_THREADS = 64 };

typedef struct Waiting {
    void *job;
    struct Waiting *next;
} Waiting;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t isFilled = PTHREAD_COND_INITIALIZER;
static Waiting *first, **end = &first;
static int waiting, idle, threads;

static void *run(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        idle += 1;
        while (!first) pthread_cond_wait(&isFilled, &lock);
        idle -= 1;
        waiting -= 1;
        Waiting *taken = first;
        first = taken->next;
        if (!first) end = &first;
        pthread_mutex_unlock(&lock);
        void *job = taken->job;
        free(taken);
        // No executor of our own: the generic one has no identity.
        swift_job_run(job, NULL, 0);
    }
    return NULL;
}

static SWIFT void enqueue(void *job, Enqueue original) {
    Waiting *added = malloc(sizeof *added);
    if (!added) {
        original(job);
        return;
    }
    *added = (Waiting){job, NULL};
    pthread_mutex_lock(&lock);
    *end = added;
    end = &added->next;
    waiting += 1;
    pthread_t thread;
    if (waiting > idle && threads < MOST_THREADS && pthread_create(&thread, NULL, run, NULL) == 0) {
        pthread_detach(thread);
        threads += 1;
    }
    pthread_cond_signal(&isFilled);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void install(void) { swift_task_enqueueGlobal_hook = enqueue; }
