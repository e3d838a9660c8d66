Feature: What a pod takes by its status
  Once it is placed, all that counts of a pod's claims is what its status records.

  Rule: The amounts come from the status

    @case:each-entry-is-added-to-what-the-containers-request
    @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario: Each entry is added to what the containers request
      Given a pod "p" with the container
        | container | request cpu | request memory | request hugepages-1Gi | limit hugepages-1Gi | claims |
        | main      | 100m        | 1Gi            | 2Gi                   | 2Gi                 | c      |
      And the status of pod "p" records
        | claim | containers | takes cpu | takes hugepages-1Gi |
        | c     | main       | 50m       | 1Gi                 |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 150m of "cpu" and 1Gi of "memory" and 3Gi of "hugepages-1Gi"

    @case:without-an-entry-a-claim-does-not-count-whatever-it
    @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario: Without an entry a claim does not count, whatever it holds
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a pod "p" with the container
        | container | request cpu | request memory | request hugepages-1Gi | limit hugepages-1Gi | claims |
        | main      | 100m        | 1Gi            | 2Gi                   | 2Gi                 | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 100m of "cpu" and 1Gi of "memory" and 2Gi of "hugepages-1Gi"

    @case:what-is-recorded-counts-not-what-the-device-says-now
    @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario: What is recorded counts, not what the device says now
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a pod "p" that uses claim "c"
      And claim "c" already holds
        | device |
        | four   |
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 3         |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 3 of "cpu"

    @case:with-the-gate-off-what-is-recorded-does-not-count
    @KEP-5517/pod-footprint/gate-off-ignores-status
    Scenario: With the gate off what is recorded does not count
      Given the feature gate "DRANodeAllocatableResources" is off
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 100m        | c      |
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 50m       |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 100m of "cpu"

    @case:with-the-gate-off-devices-take-nothing
    @KEP-5517/pod-footprint/gate-off-ignores-status
    Scenario: With the gate off devices take nothing
      Given the feature gate "DRANodeAllocatableResources" is off
      And the device
        | device | takes cpu |
        | four   | 4         |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 1 of "cpu"

    @case:with-the-gate-off-a-pod-whose-claim-is-not-allocated
    @KEP-5517/pod-footprint/gate-off-ignores-status
    Scenario: With the gate off a pod whose claim is not allocated has a footprint all the same
      Given the feature gate "DRANodeAllocatableResources" is off
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And a claim "c" requesting 1 device
      When the footprint of pod "p" is counted
      Then the pod takes 1 of "cpu"

  Rule: Containers count as ever

    @case:a-pod-without-claims-takes-what-its-containers
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario: A pod without claims takes what its containers request
      Given a pod "p" with the containers
        | container | request cpu | request memory |
        | c1        | 100m        | 1Gi            |
        | c2        | 200m        |                |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 300m of "cpu" and 1Gi of "memory"

    @case:an-init-container-of-beside-containers-of-1500m
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario Outline: An init container of <init> beside containers of 1500m makes <total>
      Given a pod "p" with the containers
        | container | kind | request cpu |
        | setup     | init | <init>      |
        | c1        | app  | 1           |
        | c2        | app  | 500m        |
      When the footprint of pod "p" is counted from its status
      Then the pod takes <total> of "cpu"

      Examples:
        | init  | total |
        | 2     | 2     |
        | 1500m | 1500m |
        | 1     | 1500m |

    @case:of-two-init-containers-the-larger-one-counts
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario: Of two init containers the larger one counts, resource by resource
      Given a pod "p" with the containers
        | container | kind | request cpu | request memory |
        | first     | init | 3           | 1Gi            |
        | second    | init | 1           | 4Gi            |
        | c1        | app  | 2           | 2Gi            |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 3 of "cpu" and 4Gi of "memory"

    @case:a-claim-of-an-init-container-adds-to-the-largest-of
    @KEP-5517/pod-footprint/init-containers-max-then-claims
    Scenario Outline: A claim of an init container adds to the largest of <init> and <app>
      Given a pod "p" with the containers
        | container | kind | request cpu | claims |
        | ic1       | init | <init>      | c      |
        | c1        | app  | <app>       |        |
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | ic1        | <claim>   |
      When the footprint of pod "p" is counted from its status
      Then the pod takes <total> of "cpu"

      Examples:
        | init | app | claim | total |
        | 100m | 50m | 25m   | 125m  |
        | 1    | 3   | 4     | 7     |

    @case:a-sidecar-runs-beside-the-init-containers-after-it
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario: A sidecar runs beside the init containers after it and beside the app
      Given a pod "p" with the containers
        | container | kind    | request cpu | claims |
        | proxy     | sidecar | 1           |        |
        | setup     | init    | 4           |        |
        | app       | app     | 2           | c      |
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | app        | 10        |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 15 of "cpu"

    @case:a-sidecar-that-uses-a-claim-counts-as-it-does
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario: A sidecar that uses a claim counts as it does without
      Given a pod "p" with the containers
        | container | kind    | request cpu | claims |
        | proxy     | sidecar | 8           | c      |
        | setup     | init    | 6           |        |
        | app       | app     | 9           |        |
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | proxy      | 1         |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 18 of "cpu"

    @case:an-init-container-before-the-sidecar-does-not-run
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario: An init container before the sidecar does not run beside it
      Given a pod "p" with the containers
        | container | kind    | request cpu |
        | setup     | init    | 4           |
        | proxy     | sidecar | 1           |
        | app       | app     | 2           |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 4 of "cpu"

    @case:two-sidecars-of-1-and-2-run-beside-an-init-container
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario Outline: Two sidecars of 1 and 2 run beside an init container of <setup> and an app of <app>
      Given a pod "p" with the containers
        | container | kind    | request cpu | claims |
        | proxy     | sidecar | 1           | c      |
        | logger    | sidecar | 2           |        |
        | setup     | init    | <setup>     |        |
        | app       | app     | <app>       | c      |
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | proxy, app | 10        |
      When the footprint of pod "p" is counted from its status
      Then the pod takes <total> of "cpu"

      Examples:
        | setup | app | total |
        | 4     | 1   | 17    |
        | 1     | 4   | 17    |

    @case:a-claim-of-an-init-container-and-of-the-app-counts
    @KEP-5517/pod-footprint/claim-shared-by-init-and-app-once
    Scenario: A claim of an init container and of the app counts once
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a pod "p" with the containers
        | container | kind | request cpu | claims |
        | setup     | init |             | c      |
        | app       | app  | 2           | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 6 of "cpu"
      And claim "c" takes 4 of "cpu" for containers "setup, app"

  Rule: The overhead comes last

    @case:the-overhead-is-added-to-containers-and-claims
    @KEP-5517/pod-footprint/overhead-added-last
    Scenario: The overhead is added to containers and claims
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And pod "p" has an overhead of 250m of "cpu" and 64Mi of "memory"
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 4         |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 5250m of "cpu" and 64Mi of "memory"

    @case:the-overhead-is-added-to-what-a-pod-requests-as-a
    @KEP-5517/pod-footprint/overhead-added-last
    Scenario: The overhead is added to what a pod requests as a whole, too
      Given a pod "p" that uses claim "c"
      And pod "p" requests 11 of "cpu" as a whole
      And pod "p" has an overhead of 250m of "cpu"
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 10        |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 11250m of "cpu"

    @case:without-its-overhead-a-pod-takes-containers-and
    @KEP-5517/pod-footprint/exclude-overhead-option
    Scenario: Without its overhead a pod takes containers and claims
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And pod "p" has an overhead of 250m of "cpu"
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 4         |
      When the footprint of pod "p" is counted from its status without its overhead
      Then the pod takes 5 of "cpu"

    @case:without-its-budget-of-a-pod-takes
    @KEP-5517/pod-footprint/skip-pod-level-option
    Scenario Outline: Without its budget of <budget> a pod takes <total>
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | <spec>      | c      |
      And pod "p" requests <budget> of "cpu" as a whole
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | <claim>   |
      When the footprint of pod "p" is counted from its status without what it requests as a whole
      Then the pod takes <total> of "cpu"

      Examples:
        | budget | spec | claim | total |
        | 11     |      | 10    | 10    |
        | 2      | 1    | 3     | 4     |

  Rule: What a pod requests as a whole is what it takes

    @case:a-pod-that-requests-2-as-a-whole-takes-2-with-a
    @KEP-5517/pod-level-resources/pod-level-wins
    Scenario Outline: A pod that requests 2 as a whole takes 2 with a claim of <claim>
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And pod "p" requests 2 of "cpu" as a whole
      And the status of pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | <claim>   |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 2 of "cpu"

      Examples:
        | claim |
        | 1     |
        | 3     |

    @case:of-what-is-not-requested-as-a-whole-containers-and
    @KEP-5517/pod-level-resources/precedence-is-per-resource
    Scenario: Of what is not requested as a whole containers and claims are taken
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | c      |
      And pod "p" requests 2 of "cpu" as a whole
      And the status of pod "p" records
        | claim | containers | takes cpu | takes memory |
        | c     | main       | 1         | 512Mi        |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 2 of "cpu" and 1536Mi of "memory"

    @case:huge-pages-that-a-pod-requests-as-a-whole-hold-those
    @KEP-5517/pod-level-resources/precedence-is-per-resource
    Scenario: Huge pages that a pod requests as a whole hold those of its claim
      Given a pod "p" with the container
        | container | request hugepages-2Mi | limit hugepages-2Mi | claims |
        | main      | 2Mi                   | 2Mi                 | c      |
      And pod "p" requests 8Mi of "hugepages-2Mi" as a whole
      And pod "p" is limited to 8Mi of "hugepages-2Mi" as a whole
      And the status of pod "p" records
        | claim | containers | takes hugepages-2Mi |
        | c     | main       | 4Mi                 |
      When the footprint of pod "p" is counted from its status
      Then the pod takes 8Mi of "hugepages-2Mi"

    @case:a-budget-of-for-2-and-a-claim-of-4-is-kept
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable @KEP-5517/pod-level-resources/budget-met-exactly
    Scenario Outline: A budget of <budget> for 2 and a claim of 4 is kept
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |
      And pod "p" requests <budget> of "cpu" as a whole
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <budget> of "cpu"

      Examples:
        | budget |
        | 6      |
        | 10     |

    @case:beside-a-budget-of-4-cpus-that-is-kept-one-of-of
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable @KEP-5517/pod-level-resources/budget-met-exactly
    Scenario Outline: Beside a budget of 4 CPUs that is kept one of <memory> of memory is <what>
      Given the device
        | device | takes cpu | takes memory |
        | xpu    | 4         | 2Gi          |
      And a pod "p" that uses claim "c"
      And pod "p" requests 4 of "cpu" and <memory> of "memory" as a whole
      And pod "p" has an overhead of 250m of "cpu"
      And claim "c" already holds
        | device |
        | xpu    |
      When the footprint of pod "p" is counted
      Then <outcome>

      Examples:
        | memory | what     | outcome                                              |
        | 2Gi    | kept     | the pod takes 4250m of "cpu" and 2Gi of "memory"     |
        | 1Gi    | exceeded | the pod has no footprint, because of OverBudget      |

    @case:a-budget-of-of-for-and-a-claim-of-is-exceeded
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
    Scenario Outline: A budget of <budget> of <resource> for <spec> and a claim of <claim> is exceeded
      Given the device
        | device | takes <resource> |
        | xpu    | <claim>          |
      And a pod "p" with the container
        | container | request <resource> | claims |
        | main      | <spec>             | c      |
      And pod "p" requests <budget> of "<resource>" as a whole
      And claim "c" already holds
        | device |
        | xpu    |
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of OverBudget

      Examples:
        | resource | budget | spec | claim |
        | cpu      | 5      | 2    | 4     |
        | cpu      | 5999m  | 2    | 4     |
        | memory   | 8Gi    | 1Gi  | 8Gi   |

    @case:only-what-is-requested-as-a-whole-has-a-budget
    @KEP-5517/pod-level-resources/unset-resources-not-budgeted
    Scenario: Only what is requested as a whole has a budget
      Given the device
        | device | takes cpu | takes memory |
        | xpu    | 2         | 16Gi         |
      And a pod "p" that uses claim "c"
      And pod "p" requests 4 of "cpu" as a whole
      And claim "c" already holds
        | device |
        | xpu    |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu" and 16Gi of "memory"
