Feature: Containers and their device requests
  Each container has a device request of its own for each extended resource that a class serves.
  The status of the pod maps containers to requests.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And a device class "nic" for "foo.domain/nic"
    And the devices
      | device |
      | dev-0  |
      | dev-1  |
      | dev-2  |
      | dev-3  |

  @case:amounts-of-two-containers-are-two-requests-of-one
  @KEP-5004/naming/one-request-per-container-and-resource @KEP-5004/special-claim/at-most-one-per-pod
  @KEP-5004/special-claim/request-content @KEP-5004/pod-status/one-entry-per-container-and-resource
  @KEP-5004/naming/request-name-format
  Scenario: Amounts of two containers are two requests of one claim
    Given a pod "p" with the containers
      | container | limit example.com/gpu | limit cpu |
      | c0        | 1                     |           |
      | c1        | 2                     |           |
      | c2        |                       | 1         |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 3 devices
    And the special claim of pod "p" serves
      | container | resource        | request               |
      | c0        | example.com/gpu | container-0-request-0 |
      | c1        | example.com/gpu | container-1-request-0 |
    And claim "extended resources of pod p" gets one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-1-request-0 |
      | 1      | container-1-request-0 |

  @case:two-containers-with-two-resources-each-are-four
  @KEP-5004/naming/one-request-per-container-and-resource @KEP-5004/naming/request-name-format
  @KEP-5004/naming/request-names-valid-and-unique @KEP-5004/pod-status/consistent-with-claim
  @KEP-5004/pod-status/mapping-fields
  Scenario: Two containers with two resources each are four requests
    Given a pod "p" with the containers
      | container | limit example.com/gpu | limit foo.domain/nic |
      | c0        | 1                     | 1                    |
      | c1        | 1                     | 1                    |
    When the cluster settles
    Then pod "p" runs
    And the special claim of pod "p" serves
      | container | resource        | request               |
      | c0        | example.com/gpu | container-0-request-0 |
      | c0        | foo.domain/nic  | container-0-request-1 |
      | c1        | example.com/gpu | container-1-request-0 |
      | c1        | foo.domain/nic  | container-1-request-1 |
    And claim "extended resources of pod p" gets one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-0-request-1 |
      | 1      | container-1-request-0 |
      | 1      | container-1-request-1 |

  @case:a-pod-waits-with-and-of-4-devices-requested-by-its
  @KEP-5004/naming/one-request-per-container-and-resource @KEP-5004/scheduling-phase/all-or-nothing-per-node
  Scenario Outline: A pod waits with <first> and <second> of 4 devices requested by its containers
    Given a pod "p" with the containers
      | container | limit example.com/gpu |
      | c0        | <first>               |
      | c1        | <second>              |
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

    Examples:
      | first | second |
      | 4     | 1      |
      | 3     | 2      |

  @case:a-pod-waits-where-only-one-of-its-resources-has
  @KEP-5004/scheduling-phase/all-or-nothing-per-node
  Scenario: A pod waits where only one of its resources has devices
    Given a device class "none" for "foo.domain/none" that selects
      """
      false
      """
    And a pod "p" that requests 1 of "example.com/gpu" and 1 of "foo.domain/none"
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

  @case:an-init-container-has-a-request
  @KEP-5004/naming/init-containers-included
  Scenario: An init container has a request
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu | limit cpu |
      | i0        | init | 1                     |           |
      | c0        |      |                       | 100m      |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | i0        | example.com/gpu |

  @case:an-init-container-and-a-container-have-two-requests
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/container-index-across-init-and-regular
  @KEP-5004/pod-status/one-entry-per-container-and-resource @KEP-5004/naming/request-name-format
  Scenario: An init container and a container have two requests
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 1                     |
      | c0        |      | 1                     |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-1-request-0 |
    And the special claim of pod "p" serves
      | container | resource        |
      | i0        | example.com/gpu |
      | c0        | example.com/gpu |
    But in Kubernetes 1.34, because init containers are numbered before the others: the special claim of pod "p" serves
      | container | resource        | request               |
      | i0        | example.com/gpu | container-0-request-0 |
      | c0        | example.com/gpu | container-1-request-0 |
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: claim "extended resources of pod p" gets 1 device
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: the special claim of pod "p" serves
      | container | resource        | request               |
      | i0        | example.com/gpu | container-1-request-0 |
      | c0        | example.com/gpu | container-1-request-0 |

  @case:the-cpus-that-a-container-requests-besides-have-no
  @KEP-5004/naming/request-name-format @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: The CPUs that a container requests besides have no request
    Given a pod "p" with the container
      | container | limit cpu | limit example.com/gpu |
      | c0        | 100m      | 1                     |
    When the cluster settles
    Then pod "p" runs
    And the special claim of pod "p" serves
      | container | resource        |
      | c0        | example.com/gpu |
    But since Kubernetes 1.34, because all that a container requests is numbered, in the order of the names: the special claim of pod "p" serves
      | container | resource        | request               |
      | c0        | example.com/gpu | container-0-request-1 |

  @case:an-init-container-and-two-containers-have-three
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/request-names-valid-and-unique
  @KEP-5004/naming/request-name-format
  Scenario: An init container and two containers have three requests of different names
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 1                     |
      | c0        |      | 1                     |
      | c1        |      | 2                     |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets one of
      | choice | request               |
      | 1      | container-0-request-0 |
      | 1      | container-1-request-0 |
      | 1      | container-2-request-0 |
      | 1      | container-2-request-0 |
      | 2      | container-0-request-0 |
      | 2      | container-1-request-0 |
      | 2      | container-1-request-0 |
      | 2      | container-2-request-0 |
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: claim "extended resources of pod p" gets 3 devices

  @case:a-pod-waits-where-its-init-container-and-its
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: A pod waits where its init container and its container do not fit together
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 2                     |
      | c0        |      | 3                     |
    When the cluster settles
    Then pod "p" is pending
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: claim "extended resources of pod p" gets 3 devices

  @case:a-sidecar-has-a-request-of-its-own
  @KEP-5004/naming/init-containers-included
  Scenario: A sidecar has a request of its own
    Given a pod "p" with the containers
      | container | kind    | limit example.com/gpu |
      | s0        | sidecar | 2                     |
      | c0        |         | 1                     |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 3 devices
    And the special claim of pod "p" serves
      | container | resource        |
      | s0        | example.com/gpu |
      | c0        | example.com/gpu |
    But since Kubernetes 1.34, because init containers are numbered before the others: claim "extended resources of pod p" gets 3 devices
    But since Kubernetes 1.34, because init containers are numbered before the others: the special claim of pod "p" serves
      | container | resource        | request               |
      | s0        | example.com/gpu | container-0-request-0 |
      | c0        | example.com/gpu | container-1-request-0 |

  @case:a-pod-waits-where-a-sidecar-and-a-container-do-not
  @KEP-5004/naming/init-containers-included
  Scenario: A pod waits where a sidecar and a container do not fit together
    Given a pod "p" with the containers
      | container | kind    | limit example.com/gpu |
      | s0        | sidecar | 2                     |
      | c0        |         | 3                     |
    When the cluster settles
    Then pod "p" is pending

  @case:a-second-init-container-that-needs-more-than-the
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: A second init container that needs more than the first has devices for it
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu | limit foo.domain/nic |
      | i0        | init | 1                     |                      |
      | i1        | init | 2                     |                      |
      | c0        |      |                       | 1                    |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 4 devices
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: claim "extended resources of pod p" gets 3 devices

  @case:an-init-container-that-needs-more-than-the-others
  @KEP-5004/naming/init-containers-included @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: An init container that needs more than the others has devices for it
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 3                     |
      | c0        |      | 1                     |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 4 devices
    And the special claim of pod "p" serves
      | container | resource        |
      | i0        | example.com/gpu |
      | c0        | example.com/gpu |
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: claim "extended resources of pod p" gets 3 devices
    But since Kubernetes 1.35, because init containers use the devices of containers that start later: the special claim of pod "p" serves
      | container | resource        | request               |
      | i0        | example.com/gpu | container-0-request-0 |
      | i0        | example.com/gpu | container-1-request-0 |
      | c0        | example.com/gpu | container-1-request-0 |

  @case:init-containers-share-what-they-need-beyond-the
  @KEP-5004/naming/one-request-per-container-and-resource @profile:since-1.35
  Scenario: Init containers share what they need beyond the devices of later containers
    Given a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | i0        | init | 4                     |
      | i1        | init | 2                     |
      | c0        |      | 1                     |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 4 devices
    And the special claim of pod "p" serves
      | container | resource        | request               |
      | i0        | example.com/gpu | container-0-request-0 |
      | i0        | example.com/gpu | container-2-request-0 |
      | i1        | example.com/gpu | container-0-request-0 |
      | i1        | example.com/gpu | container-2-request-0 |
      | c0        | example.com/gpu | container-2-request-0 |

  @case:a-pod-that-requests-nothing-of-a-resource-has-no
  @KEP-5004/limits/zero-quantity
  Scenario: A pod that requests nothing of a resource has no special claim
    Given a pod "p" that requests 0 of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs
    And pod "p" has no special claim

  @case:a-container-that-requests-nothing-of-a-resource-has
  @KEP-5004/limits/zero-quantity
  Scenario: A container that requests nothing of a resource has no request
    Given a pod "p" with the containers
      | container | limit example.com/gpu |
      | c0        | 0                     |
      | c1        | 1                     |
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | c1        | example.com/gpu |

  @case:an-ephemeral-container-has-no-request
  @KEP-5004/naming/ephemeral-containers-excluded
  Scenario: An ephemeral container has no request
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
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And the special claim of pod "p" serves
      | container | resource        |
      | c0        | example.com/gpu |

  @case:the-requests-of-eleven-containers-are-told-apart
  @KEP-5004/naming/request-names-valid-and-unique @KEP-5004/pod-status/consistent-with-claim
  @KEP-5004/naming/request-name-format
  Scenario: The requests of eleven containers are told apart
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
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 11 devices
    And claim "extended resources of pod p" has the results
      | request                |
      | container-1-request-0  |
      | container-10-request-0 |
