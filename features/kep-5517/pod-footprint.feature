Feature: Node resource usage computed from the pod status
  After a pod is placed, its ResourceClaims count with the entries in status.nodeAllocatableResourceClaimStatuses only.

  Rule: Quantities from nodeAllocatableResourceClaimStatuses of the pod

    @case:entry-added-to-requests
    @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario: Quantities in nodeAllocatableResourceClaimStatuses are added to the container requests
      Given a pod "p" with the container
        | container | request cpu | request memory | request hugepages-1Gi | limit hugepages-1Gi | claims |
        | main      | 100m        | 1Gi            | 2Gi                   | 2Gi                 | c      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource hugepages-1Gi |
        | c             | main       | 50m          | 1Gi                    |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 150m of "cpu" and 1Gi of "memory" and 3Gi of "hugepages-1Gi"

    @case:two-entries-of-one-container
    @KEP-5517/pod-footprint/amounts-come-from-pod-status @KEP-5517/accounting/different-claims-on-different-containers-sum
    Scenario Outline: Two nodeAllocatableResourceClaimStatuses entries for the same containers both count
      Given a pod "p" with the containers
        | container | request cpu | claims |
        | main      | 100m        | c, d   |
        | other     | 20m         | c, d   |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers   | resource cpu |
        | c             | <containers> | <first>      |
        | d             | <containers> | <second>     |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses <total> of "cpu"

      Examples:
        | containers  | first | second | total |
        | main        | 1     | 2      | 3120m |
        | main, other | 2     | 2      | 4120m |

    @case:order-of-entries
    @KEP-5517/status/order-is-not-significant @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario Outline: nodeAllocatableResourceClaimStatuses entries and containers count in any order
      Given a pod "p" with the containers
        | container | kind | request cpu | claims |
        | setup     | init | 10m         | c      |
        | main      | app  | 100m        | c, d   |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers   | resource cpu |
        | <first>       | <containers> | <quantity>   |
        | <second>      | main         | <other>      |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 5100m of "cpu"

      Examples:
        | first | second | containers  | quantity | other |
        | c     | d      | setup, main | 2        | 3     |
        | c     | d      | main, setup | 2        | 3     |
        | d     | c      | main        | 3        | 2     |

    @case:entry-without-containers
    @KEP-5517/pod-footprint/amounts-come-from-pod-status @KEP-5517/accounting/unreferenced-claim-still-counted
    Scenario: A nodeAllocatableResourceClaimStatuses entry without containers counts like the others
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 100m        | c      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 1            |
        | d             |            | 2            |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 3100m of "cpu"

    @case:no-entry-adds-nothing
    @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario: A ResourceClaim missing from nodeAllocatableResourceClaimStatuses adds no node resources
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a pod "p" with the container
        | container | request cpu | request memory | request hugepages-1Gi | limit hugepages-1Gi | claims |
        | main      | 100m        | 1Gi            | 2Gi                   | 2Gi                 | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 100m of "cpu" and 1Gi of "memory" and 2Gi of "hugepages-1Gi"

    @case:entry-overrides-mapping
    @KEP-5517/pod-footprint/amounts-come-from-pod-status
    Scenario: Node usage follows nodeAllocatableResourceClaimStatuses, not the current device mapping
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 3            |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 3 of "cpu"

    @case:gate-off-ignores-entry
    @KEP-5517/pod-footprint/gate-off-ignores-status
    Scenario: nodeAllocatableResourceClaimStatuses is ignored with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 100m        | c      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 50m          |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 100m of "cpu"

    @case:gate-off-ignores-mapping
    @KEP-5517/feature-gate/off-scheduler-ignores-mappings
    Scenario: A device mapping to CPUs is ignored with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 1 of "cpu"

    @case:gate-off-unallocated-claim
    @KEP-5517/feature-gate/off-scheduler-ignores-mappings
    Scenario: An unallocated ResourceClaim is ignored with DRANodeAllocatableResources off
      Given the feature gate "DRANodeAllocatableResources" is off
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And a ResourceClaim "c" requesting 1 device
      When the node resource usage of pod "p" is computed
      Then the pod uses 1 of "cpu"

  Rule: Requests of app, init and sidecar containers

    @case:no-claims
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario: A pod without ResourceClaims uses the sum of its container requests
      Given a pod "p" with the containers
        | container | request cpu | request memory |
        | c1        | 100m        | 1Gi            |
        | c2        | 200m        |                |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 300m of "cpu" and 1Gi of "memory"

    @case:init-container-maximum
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario Outline: A pod uses the larger of its init container request and the sum of its app requests
      Given a pod "p" with the containers
        | container | kind | request cpu |
        | setup     | init | <init>      |
        | c1        | app  | 1           |
        | c2        | app  | 500m        |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses <total> of "cpu"

      Examples:
        | init  | total |
        | 2     | 2     |
        | 1500m | 1500m |
        | 1     | 1500m |

    @case:largest-init-container
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario: The largest init container request counts separately for CPU and memory
      Given a pod "p" with the containers
        | container | kind | request cpu | request memory |
        | first     | init | 3           | 1Gi            |
        | second    | init | 1           | 4Gi            |
        | c1        | app  | 2           | 2Gi            |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 3 of "cpu" and 4Gi of "memory"

    @case:init-container-extended-resource
    @KEP-5517/pod-footprint/no-claims-unchanged
    Scenario Outline: A pod uses the larger of the extended resource requests of init and app containers
      Given a pod "p" with the containers
        | container | kind | request example.com/gpu | limit example.com/gpu |
        | setup     | init | <init>                  | <init>                |
        | c1        | app  | 1                       | 1                     |
        | c2        | app  | 2                       | 2                     |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses <total> of "example.com/gpu"

      Examples:
        | init | total |
        | 4    | 4     |
        | 3    | 3     |
        | 1    | 3     |

    @case:claim-of-init-container
    @KEP-5517/pod-footprint/init-containers-max-then-claims
    Scenario Outline: A ResourceClaim of an init container is added to the larger of init and app requests
      Given a pod "p" with the containers
        | container | kind | request cpu | claims |
        | ic1       | init | <init>      | c      |
        | c1        | app  | <app>       |        |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | ic1        | <claim>      |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses <total> of "cpu"

      Examples:
        | init | app | claim | total |
        | 100m | 50m | 25m   | 125m  |
        | 1    | 3   | 4     | 7     |

    @case:sidecar-before-init-container
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario: A sidecar request is added to the requests of later init containers and app containers
      Given a pod "p" with the containers
        | container | kind    | request cpu | claims |
        | proxy     | sidecar | 1           |        |
        | setup     | init    | 4           |        |
        | app       | app     | 2           | c      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | app        | 10           |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 15 of "cpu"

    @case:sidecar-with-claim
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario: A ResourceClaim of a sidecar is added to the sum of sidecar and app requests
      Given a pod "p" with the containers
        | container | kind    | request cpu | claims |
        | proxy     | sidecar | 8           | c      |
        | setup     | init    | 6           |        |
        | app       | app     | 9           |        |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | proxy      | 1            |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 18 of "cpu"

    @case:init-container-before-sidecar
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario: A sidecar request is not added to the request of an earlier init container
      Given a pod "p" with the containers
        | container | kind    | request cpu |
        | setup     | init    | 4           |
        | proxy     | sidecar | 1           |
        | app       | app     | 2           |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 4 of "cpu"

    @case:two-sidecars
    @KEP-5517/pod-footprint/sidecar-init-containers
    Scenario Outline: The requests of two sidecars are added to a later init container and to app containers
      Given a pod "p" with the containers
        | container | kind    | request cpu | claims |
        | proxy     | sidecar | 1           | c      |
        | logger    | sidecar | 2           |        |
        | setup     | init    | <setup>     |        |
        | app       | app     | <app>       | c      |
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | proxy, app | 10           |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses <total> of "cpu"

      Examples:
        | setup | app | total |
        | 4     | 1   | 17    |
        | 1     | 4   | 17    |

    @case:claim-of-init-and-app-container
    @KEP-5517/pod-footprint/claim-shared-by-init-and-app-once
    Scenario: A ResourceClaim of an init and an app container counts once in node resource usage
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a pod "p" with the containers
        | container | kind | request cpu | claims |
        | setup     | init |             | c      |
        | app       | app  | 2           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 6 of "cpu"
      And ResourceClaim "c" uses 4 of "cpu" for containers "setup, app"

  Rule: Node resource usage with and without pod overhead and pod-level requests

    @case:overhead-added
    @KEP-5517/pod-footprint/overhead-added-last
    Scenario: Pod overhead is added to container requests and ResourceClaims
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And pod "p" has an overhead of 250m of "cpu" and 64Mi of "memory"
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 4            |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 5250m of "cpu" and 64Mi of "memory"

    @case:pod-level-limit-above-request
    @KEP-5517/pod-level-resources/pod-level-wins
    Scenario: The pod-level request counts, not the larger pod-level limit
      Given a pod "p" that uses ResourceClaim "c"
      And pod "p" requests 11 of "cpu" at pod level
      And pod "p" is limited to 16 of "cpu" at pod level
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 10           |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 11 of "cpu"

    @case:overhead-with-pod-level-request
    @KEP-5517/pod-footprint/overhead-added-last
    Scenario: Pod overhead is added to the pod-level request
      Given a pod "p" that uses ResourceClaim "c"
      And pod "p" requests 11 of "cpu" at pod level
      And pod "p" has an overhead of 250m of "cpu"
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 10           |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 11250m of "cpu"

    @case:overhead-excluded
    @KEP-5517/pod-footprint/exclude-overhead-option
    Scenario: Node resource usage computed without pod overhead is the sum of requests and claims
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And pod "p" has an overhead of 250m of "cpu"
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 4            |
      When the node resource usage of pod "p" is computed from its status without its overhead
      Then the pod uses 5 of "cpu"

    @case:pod-level-request-skipped
    @KEP-5517/pod-footprint/skip-pod-level-option
    Scenario Outline: Node usage computed without pod-level requests is the sum of requests and ResourceClaims
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | <spec>      | c      |
      And pod "p" requests <budget> of "cpu" at pod level
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | <claim>      |
      When the node resource usage of pod "p" is computed from its status without its pod-level requests
      Then the pod uses <total> of "cpu"

      Examples:
        | budget | spec | claim | total |
        | 11     |      | 10    | 10    |
        | 2      | 1    | 3     | 4     |

  Rule: Node resource usage of pods with pod-level requests

    @case:pod-level-request-replaces-sum
    @KEP-5517/pod-level-resources/pod-level-wins
    Scenario Outline: A pod-level request replaces container requests and ResourceClaims in node usage
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And pod "p" requests 2 of "cpu" at pod level
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | <claim>      |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 2 of "cpu"

      Examples:
        | claim |
        | 1     |
        | 3     |

    @case:pod-level-request-per-resource
    @KEP-5517/pod-level-resources/precedence-is-per-resource
    Scenario: Memory usage is container requests plus ResourceClaims if only CPU is set at pod level
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | c      |
      And pod "p" requests 2 of "cpu" at pod level
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource memory |
        | c             | main       | 1            | 512Mi           |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 2 of "cpu" and 1536Mi of "memory"

    @case:pod-level-huge-pages
    @KEP-5517/pod-level-resources/precedence-is-per-resource
    Scenario: A pod-level huge page request includes the huge pages of a ResourceClaim
      Given a pod "p" with the container
        | container | request hugepages-2Mi | limit hugepages-2Mi | claims |
        | main      | 2Mi                   | 2Mi                 | c      |
      And pod "p" requests 8Mi of "hugepages-2Mi" at pod level
      And pod "p" is limited to 8Mi of "hugepages-2Mi" at pod level
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource hugepages-2Mi |
        | c             | main       | 4Mi                    |
      When the node resource usage of pod "p" is computed from its status
      Then the pod uses 8Mi of "hugepages-2Mi"

    @case:pod-level-request-met
    @KEP-5517/pod-level-resources/budget-met-exactly
    Scenario Outline: A pod uses its pod-level request if container request and ResourceClaim do not exceed it
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |
      And pod "p" requests <budget> of "cpu" at pod level
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <budget> of "cpu"

      Examples:
        | budget |
        | 6      |
        | 10     |

    @case:memory-budget-apart-from-cpu
    Scenario Outline: Memory of a ResourceClaim must fit the pod-level memory request even if its CPUs fit
      Given the device
        | device | mapping cpu | mapping memory |
        | xpu    | 4           | 2Gi            |
      And a pod "p" that uses ResourceClaim "c"
      And pod "p" requests 4 of "cpu" and <memory> of "memory" at pod level
      And pod "p" has an overhead of 250m of "cpu"
      And ResourceClaim "c" is already allocated
        | device |
        | xpu    |
      When the node resource usage of pod "p" is computed
      Then <outcome>

      @KEP-5517/pod-level-resources/budget-met-exactly
      Examples:
        | memory | outcome                                         |
        | 2Gi    | the pod uses 4250m of "cpu" and 2Gi of "memory" |

      @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
      Examples:
        | memory | outcome                                                          |
        | 1Gi    | the node resource usage cannot be computed because of OverBudget |

    @case:init-container-exceeds-pod-level-request
    Scenario Outline: The request of an early container and a ResourceClaim must fit the pod-level request
      Given the device
        | device | mapping cpu |
        | xpu    | 4           |
      And a pod "p" with the containers
        | container | kind   | request cpu | claims |
        | first     | <kind> | 5           |        |
        | main      | app    | 1           | c      |
      And pod "p" requests <budget> of "cpu" at pod level
      And ResourceClaim "c" is already allocated
        | device |
        | xpu    |
      When the node resource usage of pod "p" is computed
      Then <outcome>

      @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
      Examples:
        | kind    | budget | outcome                                                          |
        | init    | 8      | the node resource usage cannot be computed because of OverBudget |
        | sidecar | 9      | the node resource usage cannot be computed because of OverBudget |

      @KEP-5517/pod-level-resources/budget-met-exactly
      Examples:
        | kind    | budget | outcome                  |
        | init    | 9      | the pod uses 9 of "cpu"  |
        | sidecar | 10     | the pod uses 10 of "cpu" |

    @case:pod-level-request-exceeded
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
    Scenario Outline: Node usage cannot be computed if request plus ResourceClaim exceeds the pod-level request
      Given the device
        | device | mapping <resource> |
        | xpu    | <claim>            |
      And a pod "p" with the container
        | container | request <resource> | claims |
        | main      | <spec>             | c      |
      And pod "p" requests <budget> of "<resource>" at pod level
      And ResourceClaim "c" is already allocated
        | device |
        | xpu    |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of OverBudget

      Examples:
        | resource | budget | spec | claim |
        | cpu      | 5      | 2    | 4     |
        | cpu      | 5999m  | 2    | 4     |
        | memory   | 8Gi    | 1Gi  | 8Gi   |

    @case:memory-without-pod-level-request
    @KEP-5517/pod-level-resources/unset-resources-not-budgeted
    Scenario: A pod uses the memory of its ResourceClaim if only CPU has a pod-level request
      Given the device
        | device | mapping cpu | mapping memory |
        | xpu    | 2           | 16Gi           |
      And a pod "p" that uses ResourceClaim "c"
      And pod "p" requests 4 of "cpu" at pod level
      And ResourceClaim "c" is already allocated
        | device |
        | xpu    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu" and 16Gi of "memory"
