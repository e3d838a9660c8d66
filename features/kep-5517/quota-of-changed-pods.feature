Feature: What pods count against quotas when they are resized, and in which scopes
  Quotas go by the spec of a pod as it is now. What its claims take of the node changes neither an amount nor a scope.

  Background:
    Given a node "node-1" with 16 of "cpu" and 16Gi of "memory"

  Rule: A pod that is resized

    @case:what-a-pod-with-a-claim-that-takes-nothing-is
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/resize/allowed-without-claim-status
    @profile:kep @profile:since-1.34
    Scenario: What a pod with a claim that takes nothing is resized to counts, as far as the quota goes
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |
      And a claim "c" requesting 1 device
      And a quota "q" of 3 of "requests.cpu"
      And a pod "p" that uses claim "c" with the container
        | container | request cpu |
        | main      | 1           |
      When the cluster settles
      Then pod "p" runs
      And quota "q" counts 1 of "requests.cpu"
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      Then it is stored
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      Then it is rejected as Forbidden
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3001m |
      Then it is rejected as Forbidden
      When the cluster settles
      Then quota "q" counts 3 of "requests.cpu"

    @case:a-quota-that-a-pod-leaves-when-it-is-resized-is-free
    @KEP-5517/accounting/quota-counts-spec-only
    Scenario: A quota that a pod leaves when it is resized is free for another
      Given a quota "q" of 3 of "requests.cpu"
      And a pod "p" with the container
        | container | request cpu |
        | main      | 3           |
      When the cluster settles
      Then quota "q" counts 3 of "requests.cpu"
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 1     |
      Then it is stored
      When the cluster settles
      Then quota "q" counts 1 of "requests.cpu"
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 2           |
      Then it is stored

    @case:a-pod-that-may-not-be-resized-because-of-its-claim
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/resize/rejected-with-claim-status
    Scenario: A pod that may not be resized because of its claim counts what it counted
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a quota "q" of 3 of "requests.cpu"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster settles
      Then pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 4         |
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      Then it is rejected with Forbidden at "spec"
      But since Kubernetes 1.37, because these releases resize such pods: it is stored
      When the cluster settles
      Then quota "q" counts 1 of "requests.cpu"
      But since Kubernetes 1.37, because these releases resize such pods: quota "q" counts 3 of "requests.cpu"

  Rule: Quotas with scopes

    Background:
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: best-effort, namespace: default}
        spec:
          hard: {pods: 1}
          scopes: [BestEffort]
        """
      And the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: others, namespace: default}
        spec:
          hard: {pods: 1}
          scopes: [NotBestEffort]
        """

    @case:a-pod-that-has-cpus-only-from-a-claim-counts-among
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod that has CPUs only from a claim counts among those with best effort
      When the cluster settles
      And a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      Then it is stored
      When the cluster settles
      Then pod "p" runs
      And quota "best-effort" counts 1 of "pods"
      And quota "others" counts 0 of "pods"
      When a pod "next" with the container is created
        | container | claims |
        | main      | d      |
      Then it is rejected as Forbidden

    @case:a-pod-that-requests-1m-beside-its-claim-counts-among
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod that requests 1m beside its claim counts among the others
      When the cluster settles
      And a pod "p" with the container is created
        | container | request cpu | claims |
        | main      | 1m          | c      |
      Then it is stored
      When the cluster settles
      Then pod "p" runs
      And quota "best-effort" counts 0 of "pods"
      And quota "others" counts 1 of "pods"
      When a pod "next" with the container is created
        | container | request cpu | claims |
        | main      | 1m          | d      |
      Then it is rejected as Forbidden

  Rule: What containers must name

    @case:where-cpu-is-limited-a-container-must-request-some
    @KEP-5517/accounting/quota-counts-spec-only @profile:since-1.36
    Scenario: Where CPU is limited a container must request some, although a claim brings it
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a quota "q" of 1 of "requests.cpu"
      When the cluster settles
      And a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      Then it is rejected as Forbidden
      When a pod "p" with the container is created
        | container | request cpu | claims |
        | main      | 1           | c      |
      Then it is stored

    @case:where-cpu-is-limited-an-init-container-must-request
    @KEP-5517/accounting/quota-counts-spec-only @profile:since-1.36
    Scenario: Where CPU is limited an init container must request some as well
      Given a quota "q" of 2 of "requests.cpu"
      When the cluster settles
      And a pod "p" with the containers is created
        | container | kind | request cpu |
        | first     | init |             |
        | main      |      | 1           |
      Then it is rejected as Forbidden
      When a pod "p" with the containers is created
        | container | kind | request cpu |
        | first     | init | 1           |
        | main      |      | 1           |
      Then it is stored
