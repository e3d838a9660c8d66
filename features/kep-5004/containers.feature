Feature: Device requests of containers
  The extended-resource claim has one device request for each container and each extended resource that a DeviceClass
  backs. The pod status maps containers and extended resources to device requests.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And a DeviceClass "nic" for extended resource "foo.domain/nic"
    And the devices
      | device |
      | dev-0  |
      | dev-1  |
      | dev-2  |
      | dev-3  |

  @case:quantity-with-suffix
  @KEP-5004/naming/one-request-per-container-and-resource
  Scenario Outline: The quantity of an extended resource is a whole number of devices in any notation
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: <quantity>}, requests: {example.com/gpu: <quantity>}}
      """
    When the cluster reaches a steady state
    Then pod "p" <what>

    Examples:
      | quantity | what       |
      | 2000m    | is Running |
      | 2e0      | is Running |
      | 5000m    | is Pending |
      | 1k       | is Pending |
      | 1Ki      | is Pending |
      | 1e3      | is Pending |

  @case:two-containers-two-requests
  @KEP-5004/naming/one-request-per-container-and-resource @KEP-5004/special-claim/at-most-one-per-pod
  @KEP-5004/special-claim/request-content @KEP-5004/pod-status/one-entry-per-container-and-resource
  Scenario: Two containers get separate device requests in one extended-resource claim
    Given a pod "p" with the containers
      | container | limit example.com/gpu | limit cpu |
      | c0        | 1                     |           |
      | c1        | 2                     |           |
      | c2        |                       | 1         |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 3 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c0            | example.com/gpu |
      | c1            | example.com/gpu |
    But since Kubernetes 1.34, because the KEP calls the names of device requests informational: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | c0            | example.com/gpu | container-0-request-0 |
      | c1            | example.com/gpu | container-1-request-0 |
    But since Kubernetes 1.34, because the KEP calls the names of device requests informational: ResourceClaim "extended resources of pod p" is allocated one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-1-request-0 |
      | 1      | container-1-request-0 |

  @case:third-container
  @KEP-5004/naming/one-request-per-container-and-resource @KEP-5004/pod-status/one-entry-per-container-and-resource
  Scenario: A third container gets its own device request after one without extended resources
    Given a pod "p" with the containers
      | container | limit example.com/gpu | limit cpu |
      | c0        | 1                     |           |
      | c1        |                       | 1         |
      | c2        | 2                     |           |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 3 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c0            | example.com/gpu |
      | c2            | example.com/gpu |

  @case:container-beside-claim
  @KEP-5004/special-claim/separate-from-pod-claims @KEP-5004/special-claim/only-dra-backed-resources
  Scenario: A third container gets an extended resource although the first two share a ResourceClaim
    Given a ResourceClaim "c" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaim "c" with the containers
      | container | limit example.com/gpu | claims |
      | c0        |                       | c      |
      | c1        |                       | c      |
      | c2        | 2                     |        |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c2            | example.com/gpu |

  @case:init-container-beside-claim
  @KEP-5004/naming/init-containers-included @KEP-5004/special-claim/separate-from-pod-claims
  Scenario: An init container gets an extended resource although an app container uses a ResourceClaim
    Given a ResourceClaim "c" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaim "c" with the containers
      | container | kind | limit example.com/gpu | limit foo.domain/nic | claims |
      | i0        | init | 1                     |                      |        |
      | c0        |      |                       | 1                    | c      |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | i0            | example.com/gpu |
      | c0            | foo.domain/nic  |

  @case:two-containers-two-resources
  @KEP-5004/naming/one-request-per-container-and-resource
  @KEP-5004/naming/request-names-valid-and-unique @KEP-5004/pod-status/consistent-with-claim
  @KEP-5004/pod-status/mapping-fields
  Scenario: Two containers that each request two extended resources get four device requests in total
    Given a pod "p" with the containers
      | container | limit example.com/gpu | limit foo.domain/nic |
      | c0        | 1                     | 1                    |
      | c1        | 1                     | 1                    |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 4 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c0            | example.com/gpu |
      | c0            | foo.domain/nic  |
      | c1            | example.com/gpu |
      | c1            | foo.domain/nic  |
    But since Kubernetes 1.34, because the KEP calls the names of device requests informational: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | c0            | example.com/gpu | container-0-request-0 |
      | c0            | foo.domain/nic  | container-0-request-1 |
      | c1            | example.com/gpu | container-1-request-0 |
      | c1            | foo.domain/nic  | container-1-request-1 |
    But since Kubernetes 1.34, because the KEP calls the names of device requests informational: ResourceClaim "extended resources of pod p" is allocated one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-0-request-1 |
      | 1      | container-1-request-0 |
      | 1      | container-1-request-1 |

  @case:containers-exceed-devices
  @KEP-5004/naming/one-request-per-container-and-resource @KEP-5004/scheduling-phase/all-or-nothing-per-node
  Scenario Outline: A pod stays Pending if its containers together request more devices than exist
    Given a pod "p" with the containers
      | container | limit example.com/gpu |
      | c0        | <first>               |
      | c1        | <second>              |
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

    Examples:
      | first | second |
      | 4     | 1      |
      | 3     | 2      |

  @case:one-resource-without-devices
  @KEP-5004/scheduling-phase/all-or-nothing-per-node
  Scenario: A pod stays Pending if one of its two extended resources has no free devices
    Given a DeviceClass "none" for extended resource "foo.domain/none" with the selector
      """
      false
      """
    And a pod "p" that requests 1 of "example.com/gpu" and 1 of "foo.domain/none"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

  @case:init-container-request
  @KEP-5004/naming/init-containers-included
  Scenario: An init container that requests an extended resource gets a device request
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu | limit cpu |
      | i0        | init | 1                     |           |
      | c0        |      |                       | 100m      |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | i0            | example.com/gpu |

  @case:init-and-regular-container-requests
  @KEP-5004/naming/init-containers-included
  @KEP-5004/pod-status/one-entry-per-container-and-resource
  Scenario: An init container and a regular container get separate device requests
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 1                     |
      | c0        |      | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | i0            | example.com/gpu |
      | c0            | example.com/gpu |
    But in Kubernetes 1.34, because init containers are numbered before regular containers: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | i0            | example.com/gpu | container-0-request-0 |
      | c0            | example.com/gpu | container-1-request-0 |
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: ResourceClaim "extended resources of pod p" is allocated 1 device
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | i0            | example.com/gpu | container-1-request-0 |
      | c0            | example.com/gpu | container-1-request-0 |

  @case:cpu-has-no-device-request
  @KEP-5004/special-claim/only-dra-backed-resources
  Scenario: A CPU request of a container creates no device request
    Given a pod "p" with the container
      | container | limit cpu | limit example.com/gpu |
      | c0        | 100m      | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c0            | example.com/gpu |
    But since Kubernetes 1.34, because the index in the request name counts all resources of the container in alphabetical order: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | c0            | example.com/gpu | container-0-request-1 |

  @case:three-containers-unique-names
  @KEP-5004/naming/container-index-across-init-and-regular @KEP-5004/naming/request-name-format
  Scenario: An init container and two regular containers get device requests with different names
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 1                     |
      | c0        |      | 1                     |
      | c1        |      | 2                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-1-request-0 |
      | 1      | container-2-request-0 |
      | 1      | container-2-request-0 |
      | 2      | container-0-request-0 |
      | 2      | container-1-request-0 |
      | 2      | container-1-request-0 |
      | 2      | container-2-request-0 |
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: ResourceClaim "extended resources of pod p" is allocated 3 devices

  @case:init-and-regular-exceed-devices
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: A pod stays Pending if its init and regular containers together request too many devices
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 2                     |
      | c0        |      | 3                     |
    When the cluster reaches a steady state
    Then pod "p" is Pending
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: ResourceClaim "extended resources of pod p" is allocated 3 devices

  @case:sidecar-request
  @KEP-5004/naming/init-containers-included
  Scenario: A sidecar container gets its own device request
    Given a pod "p" with the containers
      | container | kind    | limit example.com/gpu |
      | s0        | sidecar | 2                     |
      | c0        |         | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 3 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | s0            | example.com/gpu |
      | c0            | example.com/gpu |
    But since Kubernetes 1.34, because init containers are numbered before regular containers: ResourceClaim "extended resources of pod p" is allocated 3 devices
    But since Kubernetes 1.34, because init containers are numbered before regular containers: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | s0            | example.com/gpu | container-0-request-0 |
      | c0            | example.com/gpu | container-1-request-0 |

  @case:sidecar-and-regular-exceed-devices
  @KEP-5004/naming/init-containers-included
  Scenario: A pod stays Pending if its sidecar and regular containers request too many devices
    Given a pod "p" with the containers
      | container | kind    | limit example.com/gpu |
      | s0        | sidecar | 2                     |
      | c0        |         | 3                     |
    When the cluster reaches a steady state
    Then pod "p" is Pending

  @case:larger-second-init-container
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: A second init container that requests more devices than the first gets all its devices
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu | limit foo.domain/nic |
      | i0        | init | 1                     |                      |
      | i1        | init | 2                     |                      |
      | c0        |      |                       | 1                    |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 4 devices
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: ResourceClaim "extended resources of pod p" is allocated 3 devices

  @case:init-larger-than-regular
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: An init container that requests more devices than an app container gets all its devices
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 3                     |
      | c0        |      | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 4 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | i0            | example.com/gpu |
      | c0            | example.com/gpu |
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: ResourceClaim "extended resources of pod p" is allocated 3 devices
    But since Kubernetes 1.35, because init containers reuse the devices of containers that start later: pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | i0            | example.com/gpu | container-0-request-0 |
      | i0            | example.com/gpu | container-1-request-0 |
      | c0            | example.com/gpu | container-1-request-0 |

  @case:init-containers-share-extra-devices
  @KEP-5004/naming/one-request-per-container-and-resource @profile:since-1.35
  Scenario: Init containers share extra devices and reuse the devices of containers that start later
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 4                     |
      | i1        | init | 2                     |
      | c0        |      | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 4 devices
    And pod "p" has the requestMappings
      | containerName | resourceName    | requestName           |
      | i0            | example.com/gpu | container-0-request-0 |
      | i0            | example.com/gpu | container-2-request-0 |
      | i1            | example.com/gpu | container-0-request-0 |
      | i1            | example.com/gpu | container-2-request-0 |
      | c0            | example.com/gpu | container-2-request-0 |

  @case:zero-quantity-no-claim
  @KEP-5004/limits/zero-quantity
  Scenario: A pod that requests zero of an extended resource gets no extended-resource claim
    Given a pod "p" that requests 0 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has no extended-resource claim

  @case:zero-quantity-no-device-request
  @KEP-5004/limits/zero-quantity
  Scenario: A container that requests zero of an extended resource gets no device request
    Given a pod "p" with the containers
      | container | limit example.com/gpu |
      | c0        | 0                     |
      | c1        | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c1            | example.com/gpu |

  @case:ephemeral-container-no-request
  @KEP-5004/naming/ephemeral-containers-excluded
  Scenario: An ephemeral container gets no device request
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        containers:
          - name: c0
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        ephemeralContainers:
          - {name: dbg, image: 'registry.k8s.io/pause:3.10'}
      """
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | c0            | example.com/gpu |

  @case:eleven-containers-unique-names
  @KEP-5004/naming/request-names-valid-and-unique @KEP-5004/pod-status/consistent-with-claim
  Scenario: Eleven containers get device requests with different names
    Given the devices
      | device | pool |
      | dev-4  | more |
      | dev-5  | more |
      | dev-6  | more |
      | dev-7  | more |
      | dev-8  | more |
      | dev-9  | more |
      | dev-10 | more |
    And a pod "p" with the containers
      | container | limit example.com/gpu |
      | c0        | 1                     |
      | c1        | 1                     |
      | c2        | 1                     |
      | c3        | 1                     |
      | c4        | 1                     |
      | c5        | 1                     |
      | c6        | 1                     |
      | c7        | 1                     |
      | c8        | 1                     |
      | c9        | 1                     |
      | c10       | 1                     |
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 11 devices
    But since Kubernetes 1.34, because the KEP calls the names of device requests informational: ResourceClaim "extended resources of pod p" is allocated 11 devices
    But since Kubernetes 1.34, because the KEP calls the names of device requests informational: ResourceClaim "extended resources of pod p" is allocated at least
      | request                |
      | container-1-request-0  |
      | container-10-request-0 |
