Feature: nodeAllocatableResourceClaimStatuses of pods that use mapped devices
  An entry in status.nodeAllocatableResourceClaimStatuses has the name of the ResourceClaim, the containers that use the
  ResourceClaim, and the quantities.

  Background:
    Given a node "node-1" with allocatable 64 of "cpu" and 64Gi of "memory"

  @case:sum-over-devices
  @KEP-5517/status/amounts-aggregated-over-devices @KEP-5517/mapping/individual-devices-representation
  Scenario: nodeAllocatableResourceClaimStatuses has the sum over all devices of a ResourceClaim
    Given the devices
      | device | mapping cpu |
      | core-0 | 2           |
      | core-1 | 2           |
      | core-2 | 2           |
      | core-3 | 2           |
    And a ResourceClaim "c" requesting 4 devices
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 8            |

  @case:left-over-entries-replaced
  @KEP-5517/status/written-at-prebind
  Scenario: The scheduler replaces nodeAllocatableResourceClaimStatuses of an earlier attempt
    Given the device
      | device | mapping cpu |
      | five   | 5           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 2            |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 5            |

  @case:all-kinds-of-containers-listed
  @KEP-5517/status/containers-include-init-and-regular
  Scenario: nodeAllocatableResourceClaimStatuses lists containers of every kind that use the claim
    Given the device
      | device | mapping cpu |
      | four   | 4           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" with the containers
      | container | kind    | claims |
      | ic1       | init    | c      |
      | proxy     | sidecar | c      |
      | c1        | app     | c      |
      | c2        | app     |        |
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers     | resource cpu |
      | c             | ic1, proxy, c1 | 4            |

  @case:container-listed-once
  @KEP-5517/status/containers-include-init-and-regular
  Scenario: nodeAllocatableResourceClaimStatuses lists a container that uses two requests once
    Given the devices
      | device | mapping cpu |
      | one    | 1           |
      | other  | 1           |
    And a ResourceClaim "c" with the requests
      | request |
      | a       |
      | b       |
    And a pod "p" with the container
      | container | claims   |
      | c1        | c/a, c/b |
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | c1         | 2            |
    But in Kubernetes 1.36, because this release lists the container once for each request: pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | c1, c1     | 2            |
    But since Kubernetes 1.37, because the scheduler lists the container once for each request and the API server rejects that: pod "p" is Pending

  @case:unreferenced-claim-entry
  @KEP-5517/status/unreferenced-claim-has-no-containers
  Scenario: nodeAllocatableResourceClaimStatuses includes a ResourceClaim that no container uses
    Given the device
      | device | mapping cpu |
      | four   | 4           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c" with the container
      | container |
      | main      |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             |            | 4            |
    But in Kubernetes 1.36, because this release requires that a container references the claim: pod "p" is Pending

  @case:unreferenced-claim-counts
  @KEP-5517/accounting/unreferenced-claim-still-counted @profile:kep @profile:since-1.37
  Scenario: A pod stays Pending if a ResourceClaim that no container references does not fit
    Given a node "small" with allocatable 4 of "cpu"
    And the device
      | device | node  | mapping cpu |
      | four   | small | 4           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c" with the container
      | container | request cpu |
      | main      | 1           |
    When the cluster reaches a steady state
    Then pod "p" is Pending

  @case:unreferenced-beside-referenced-claim
  @KEP-5517/accounting/unreferenced-claim-still-counted @profile:kep @profile:since-1.37
  Scenario Outline: A pod uses node resources of its referenced and of its unreferenced ResourceClaim
    Given a node "small" with allocatable 5 of "cpu"
    And the devices
      | device | node  | pool  | mapping cpu |
      | two    | small | small | 2           |
      | too    | small | small | 2           |
    And a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "p" that uses ResourceClaims "c, d" with the container
      | container | request cpu | claims |
      | main      | <cpu>       | c      |
    When the cluster reaches a steady state
    Then pod "p" is <phase>

    Examples:
      | cpu   | phase   |
      | 1     | Running |
      | 1001m | Pending |

  @case:no-claims-no-entry
  @KEP-5517/status/no-entry-without-node-resources
  Scenario: A pod without ResourceClaims has no nodeAllocatableResourceClaimStatuses
    Given a pod "p" with the container
      | container | request cpu |
      | main      | 1           |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has no nodeAllocatableResourceClaimStatuses

  @case:unmapped-claim-no-entry
  @KEP-5517/status/no-entry-without-node-resources
  Scenario: A ResourceClaim without mapped devices is not in nodeAllocatableResourceClaimStatuses
    Given the devices
      | device | attribute type | mapping cpu |
      | gpu0   | string gpu     |             |
      | cpu0   | string cpu     | 1           |
    And a ResourceClaim "gpu" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].type == "gpu" |
    And a ResourceClaim "cpu" with the request
      | request | selector                                             |
      | r0      | device.attributes["dra.example.com"].type == "cpu" |
    And a pod "p" that uses ResourceClaims "gpu, cpu"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | cpu           | main       | 1            |

  @case:generated-claim-name
  @KEP-5517/status/resource-claim-name-is-object-name
  Scenario: nodeAllocatableResourceClaimStatuses names the ResourceClaim generated from a template
    Given the device
      | device | mapping cpu |
      | four   | 4           |
    And a ResourceClaimTemplate "t" requesting 1 device
    And a pod "p" that uses the ResourceClaimTemplate "t" as "cpus"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | cpus of pod p | main       | 4            |

  @case:entries-kept-by-other-writers
  @KEP-5517/status/kept-by-other-writers
  Scenario: A later status update of a pod keeps its nodeAllocatableResourceClaimStatuses
    Given the device
      | device | mapping cpu |
      | four   | 4           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And the status of pod "p" is updated with
      | field             | value                                             |
      | status.conditions | [{type: Ready, status: "True"}]                   |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 4            |

  @case:one-entry-per-claim
  @KEP-5517/status/entry-content
  Scenario: Each of two ResourceClaims has its own nodeAllocatableResourceClaimStatuses entry
    Given the devices
      | device | mapping cpu | mapping memory |
      | xpu-0  | 2           | 4Gi            |
      | xpu-1  | 2           | 4Gi            |
    And a ResourceClaim "z" requesting 1 device
    And a ResourceClaim "a" requesting 1 device
    And a pod "p" that uses ResourceClaims "z, a"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | resource memory |
      | z             | main       | 2            | 4Gi             |
      | a             | main       | 2            | 4Gi             |

  @case:feature-use-visible
  @KEP-5517/diagnostics/feature-use-is-visible-in-objects
  Scenario: Use of node allocatable resources is visible in the ResourceSlice and the pod status
    Given the device
      | device | mapping cpu |
      | four   | 4           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    And a pod "plain" without ResourceClaims
    When the cluster reaches a steady state
    Then ResourceSlice "pool-1-slice" has
      | field                                                                    | value |
      | spec.devices[0].nodeAllocatableResourceMappings.cpu.allocationMultiplier | 4     |
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 4            |
    And pod "plain" has no nodeAllocatableResourceClaimStatuses
    But since Kubernetes 1.37, because the field is named nodeAllocatableResources in these releases: ResourceSlice "pool-1-slice" has
      | field                                                                 | value |
      | spec.devices[0].nodeAllocatableResources.cpu.mapping.deviceMultiplier | 4     |

  Rule: Extended resources backed by mapped devices

    @case:extended-resource-adds-cpus
    @KEP-5517/accounting/extended-resource-backed-claim
    Scenario: A GPU that backs an extended resource adds its auxiliary CPUs to the pod's node usage
      Given the device
        | device | mapping cpu |
        | gpu0   | 2           |
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {extendedResourceName: example.com/gpu}
        """
      And a pod "p" with the container
        | container | request cpu | limit example.com/gpu | request example.com/gpu |
        | main      | 1           | 1                     | 1                       |
      And a pod "fits" with the container
        | container | request cpu |
        | main      | 61          |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "fits" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim               | containers | resource cpu |
        | extended resources of pod p |            | 2            |
      But in Kubernetes 1.36, because this release requires that a container references the claim: pod "p" is Pending
      But in Kubernetes 1.37, because the API server rejects an entry for such a claim: pod "p" is Pending
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "next" is Pending
      But from Kubernetes 1.36 to 1.37, because the node has room without pod "p": pod "next" is Running

    @case:deleted-pod-releases-extended-resource
    @KEP-5517/accounting/extended-resource-backed-claim
    @profile:kep
    Scenario: A deleted pod releases the CPUs that the device of its extended resource maps to
      Given a DeviceClass "gpu" for extended resource "example.com/gpu"
      And the device
        | device | mapping cpu |
        | gpu-1  | 4           |
      And a pod "p" with the container
        | container | request cpu | limit example.com/gpu | request example.com/gpu |
        | main      | 1           | 1                     | 1                       |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When a pod "q" with the container is created
        | container | request cpu |
        | main      | 61          |
      And the cluster reaches a steady state
      Then pod "q" is Pending
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then pod "q" is Running

    @case:left-over-extended-resource-claim
    @KEP-5517/accounting/extended-resource-backed-claim 
    @profile:kep
    Scenario: A left-over extended-resource claim adds the CPUs of its GPU to the pod's node usage
      Given a node "n1" with allocatable 5 of "cpu"
      And a DeviceClass "gpu" for extended resource "example.com/gpu"
      And the device
        | device | node | pool | mapping cpu |
        | gpu-1  | n1   | n1   | 4           |
      And the fixture "left-over-extended-resource-claim"
      When the cluster reaches a steady state
      Then ResourceClaim "p-extended-resources-8s27z" is reserved for pod "p"
      And pod "p" is Running on node "n1"
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim               | containers | resource cpu |
        | extended resources of pod p |            | 4            |
